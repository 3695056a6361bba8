import type { Decided, EntryRow } from '../entries/public.ts';

type Entry = Pick<EntryRow, 'id' | 'submittedAt' | 'score' | 'scoreSource' | 'disqualifiedAt'>;

export function isEligible({ disqualifiedAt }: Pick<Entry, 'disqualifiedAt'>): boolean {
  return disqualifiedAt === null;
}

/**
 * What scores alone decide. Any entry scored by the poster: the highest of the poster's scores. Otherwise the AI judge's,
 * if it scored every entry: one that it could not see must not lose for it. Null: there is nothing to go by.
 */
export function selectByScores<E extends Entry>(entries: E[]): { selection: 'scores' | 'ai'; winner: E } | null {
  const eligible = entries.filter(isEligible);
  const byPoster = best(eligible.filter(({ scoreSource }) => scoreSource === 'poster'));
  if (byPoster) return { selection: 'scores', winner: byPoster };
  const byAi = eligible.every(({ scoreSource }) => scoreSource === 'ai') ? best(eligible) : undefined;
  return byAi ? { selection: 'ai', winner: byAi } : null;
}

function best<E extends Entry>(entries: E[]): E | undefined {
  return entries.toSorted(byRank)[0];
}

/** The higher score, the unscored last; then the earlier confirmation, then the lower id. */
function byRank(a: Entry, b: Entry): number {
  return (b.score ?? 0) - (a.score ?? 0) || byConfirmation(a, b);
}

function byConfirmation(a: Entry, b: Entry): number {
  return a.submittedAt.getTime() - b.submittedAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** One winner takes all. A disqualified entry has lost and has no rank. */
export function decideWinner(
  entries: Entry[],
  { winnerId, receivesMicro }: { winnerId: string; receivesMicro: number },
): Decided[] {
  return ranked(entries, (entry) =>
    entry.id === winnerId
      ? { outcome: 'won' as const, earningsMicro: receivesMicro }
      : { outcome: 'lost' as const, earningsMicro: 0 },
  );
}

/** Equal parts in whole microdollars; what is left of the division goes to the earliest confirmed entry. */
export function decideSplit(entries: Entry[], receivesMicro: number): Decided[] {
  const eligible = entries.filter(isEligible).toSorted(byConfirmation);
  const share = Math.floor(receivesMicro / eligible.length);
  const first = eligible[0]?.id;
  return ranked(entries, (entry) => ({
    outcome: 'shared' as const,
    earningsMicro: share + (entry.id === first ? receivesMicro - share * eligible.length : 0),
  }));
}

function ranked(entries: Entry[], meaning: (entry: Entry) => Pick<Decided, 'outcome' | 'earningsMicro'>): Decided[] {
  const standing = entries
    .filter(isEligible)
    .toSorted(byRank)
    .map((entry, index) => ({ id: entry.id, rank: index + 1, ...meaning(entry) }));
  const out = entries.filter((entry) => !isEligible(entry));
  return [...standing, ...out.map(({ id }) => ({ id, rank: null, outcome: 'lost' as const, earningsMicro: 0 }))];
}
