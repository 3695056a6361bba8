import type { KeyboardEvent } from 'react';
import type { Entry } from '../judging/entry-requests.ts';
import type { Judge } from '../judging/use-judge.ts';

/** Actions by key, in lower case. */
export type Shortcuts = Record<string, () => void>;

/** The keys that act on an entry, in the grid, the viewer, and the comparison. */
export const actKeysOf = (judge: Judge, entry: Entry): Shortcuts => ({
  s: () => judge.mark(entry, 'shortlist'),
  o: () => judge.mark(entry, 'out'),
  w: () => judge.choose(entry),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((score) => [String(score), () => judge.score(entry, score)])),
});

/** Performs the action of a key. Text is input, and keys with a modifier belong to the browser. */
export function actOnKey(event: KeyboardEvent, shortcuts: Shortcuts): void {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = shortcuts[event.key.toLowerCase()];
  if (!act) return;
  act();
  event.preventDefault();
}

/** Whether the target is a field, where keys are input and not shortcuts. */
export function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.matches('textarea, select, input:not([type="radio"])');
}
