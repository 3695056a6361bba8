import { useSyncExternalStore } from 'react';

// Whether the service answers. A failure may be over at once, so that it is told of only when no answer has followed it.

const PATIENCE_MS = 2_000;
const PROBE_MS = 5_000;

let answers = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (answers === next) return;
  answers = next;
  for (const listener of listeners) listener();
}

/** Something came back, whatever it says. */
export function noteAnswer(): void {
  clearTimeout(timer);
  timer = undefined;
  set(true);
}

/** Nothing came back. */
export function noteSilence(): void {
  timer ??= setTimeout(() => {
    set(false);
    void probe();
  }, PATIENCE_MS);
}

/** A page that asks for nothing by itself would say for ever that the service is away. */
async function probe(): Promise<void> {
  if (answers) return;
  // A device without a network knows when it is back.
  const isBack = navigator.onLine && (await fetch('/healthz').catch(() => null)) !== null;
  if (isBack) noteAnswer();
  else setTimeout(() => void probe(), PROBE_MS);
}

export function useAnswers(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => answers,
  );
}
