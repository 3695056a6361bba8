import { Button } from '@mantine/core';
import { CircleOff, GitCompareArrows, Star, Trophy } from 'lucide-react';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import type { Judge } from '../judging/use-judge.ts';

const text = poster.viewer;

/** The marks of an entry, and its selection to compare. */
export const togglesOf = (judge: Judge, entry: Entry) =>
  [
    { id: 'shortlist', icon: Star, on: entry.mark === 'shortlist', act: () => judge.mark(entry, 'shortlist') },
    { id: 'out', icon: CircleOff, on: entry.mark === 'out', act: () => judge.mark(entry, 'out') },
    {
      id: 'mark',
      icon: GitCompareArrows,
      on: judge.compared.includes(entry.id),
      act: () => judge.compare(entry),
    },
  ] as const;

/** Marks, the selection to compare, and the choice as winner. */
export function EntryActs({ entry, judge, isCompared = false }: { entry: Entry; judge: Judge; isCompared?: boolean }) {
  const { choice } = judge;
  const toggles = togglesOf(judge, entry).filter(({ id }) => !isCompared || id !== 'mark');
  return (
    <div className="row">
      {toggles.map(({ id, icon: Icon, on, act }) => (
        <Button
          key={id}
          variant="default"
          size="sm"
          aria-pressed={on}
          className="toggle"
          leftSection={<Icon size={18} aria-hidden="true" />}
          onClick={act}
        >
          {text[id]}
        </Button>
      ))}
      {choice && entry.disqualified_at === null ? (
        <Button size="sm" leftSection={<Trophy size={18} aria-hidden="true" />} onClick={() => judge.choose(entry)}>
          {choice.closes ? text.closeAndChoose : text.choose}
        </Button>
      ) : null}
    </div>
  );
}
