import { useState } from 'react';
import { describeError } from '../../components/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import type { FeedbackKeeper } from './feedback-keeper.ts';
import type { Entry } from './entry-requests.ts';
import type { Entries } from './use-entries.ts';
import { feedbackOf, useFeedback } from './use-feedback.ts';

export const LEAST_COMPARED = 2;
const MOST_COMPARED = 4;

export type Mark = NonNullable<Entry['mark']>;

/** The result of the last change of an entry by this act. A failure stays until the same act succeeds. */
export type Outcome = { id: string; act: 'review' | 'mark'; title: string; isSaving: boolean; failure: string | null };

/** The poster's acts on entries. The grid, the viewer, and the comparison all use them. */
export type Judge = {
  canScore: boolean;
  /** The award has fixed the scores, and feedback can still be sent. */
  isAwarded: boolean;
  /** A result is on hold, so the poster can no longer judge. */
  isHeld: boolean;
  keeper: FeedbackKeeper;
  /** The failures, then the result of the newest change. */
  outcomes: readonly Outcome[];
  /** Scores an entry. The feedback that the poster typed goes along. */
  score: (entry: Entry, score: number) => void;
  /** Sends the typed feedback of an entry that has a score, or of any entry after the award. */
  send: (entry: Entry) => void;
  /** Whether the agent of this entry would get feedback that the poster has typed and not sent. */
  hasUnsent: (entry: Entry) => boolean;
  /** Marks the entry, or removes the mark. */
  mark: (entry: Entry, mark: Mark) => void;
  /** The ids of the entries to compare, at most four. */
  compared: readonly string[];
  compare: (entry: Entry) => void;
  /** Null if no winner can be chosen. `closes`: the choice also closes entries. */
  choice: { closes: boolean } | null;
  /** Asks for the choice of this entry, if it can win. */
  choose: (entry: Entry) => void;
};

export function useJudge(project: OwnProject, entries: Entries, onChoose: (entry: Entry) => void): Judge {
  const keeper = useFeedback(project.id, entries);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [compared, setCompared] = useState<readonly string[]>([]);
  const { status, selection, result_on_hold: hold } = project;
  const isLive = status === 'open' || status === 'judging';
  // The poster's time for judging is over once a result is on hold.
  const canScore = isLive && selection === null && hold === null;
  const isAwarded = status !== 'cancelled' && selection !== null && hold === null;

  const report = async (act: Outcome['act'], { id, title }: Entry, work: Promise<void>) => {
    const put = (result: Pick<Outcome, 'isSaving'> & { failure?: string | null }) =>
      setOutcomes((before) => {
        const isSame = (each: Outcome) => each.id === id && each.act === act;
        const others = before.filter((each) => !isSame(each) && each.failure !== null);
        const failure = before.find(isSame)?.failure ?? null;
        return [...others, { id, act, title, failure, ...result }];
      });
    put({ isSaving: true });
    const failure = await work.then(
      () => null,
      (error: unknown) => describeError(error).text,
    );
    put({ isSaving: false, failure });
  };
  const hasUnsent = (entry: Entry) =>
    entry.disqualified_at === null && feedbackOf(keeper, entry).trim() !== (entry.feedback ?? '');
  // A score without feedback keeps what the poster sent, and removes that of the AI judge.
  const isTold = (entry: Entry) => !hasUnsent(entry) && entry.score_source !== 'ai';
  const score = (entry: Entry, given: number) => {
    if (!canScore || entry.disqualified_at !== null) return;
    void report(
      'review',
      entry,
      keeper.send(entry.id, () =>
        review(entries, entry, given, isTold(entry) ? null : feedbackOf(keeper, entry).trim()),
      ),
    );
  };
  return {
    canScore,
    isAwarded,
    isHeld: hold !== null,
    keeper,
    outcomes,
    score,
    hasUnsent,
    send: (entry) => {
      const feedback = feedbackOf(keeper, entry).trim();
      if (!hasUnsent(entry) || (canScore && entry.score === null)) keeper.flush(entry.id);
      else if (canScore && entry.score !== null) score(entry, entry.score);
      else if (isAwarded)
        void report(
          'review',
          entry,
          keeper.send(entry.id, () => entries.review(entry, { feedback })),
        );
    },
    mark: (entry, mark) => void report('mark', entry, entries.note(entry, { mark: entry.mark === mark ? null : mark })),
    compared,
    compare: ({ id }) =>
      setCompared(
        compared.includes(id) ? compared.filter((each) => each !== id) : [...compared, id].slice(-MOST_COMPARED),
      ),
    choice: canScore ? { closes: status === 'open' } : null,
    choose: (entry) => (canScore && entry.disqualified_at === null ? onChoose(entry) : undefined),
  };
}

/**
 * Sends a score, and the feedback unless it is null: this page may not know what was sent in another one. A draft that the
 * poster emptied is removed first, because only feedback with text replaces it.
 */
async function review(entries: Entries, entry: Entry, score: number, feedback: string | null): Promise<void> {
  if (!feedback && entry.feedback_draft) await entries.note(entry, { feedback_draft: null });
  await entries.review(entry, { score, ...(feedback === null ? {} : { feedback }) });
}
