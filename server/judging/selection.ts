import type { Decided, EntryRow } from '../entries/public.ts';

type Entry = Pick<EntryRow, 'id' | 'submittedAt' | 'score' | 'scoreSource' | 'disqualifiedAt'>;

/** Returns whether the entry can win: it is not disqualified. */
export function isEligible({ disqualifiedAt }: Pick<Entry, 'disqualifiedAt'>): boolean {
  return disqualifiedAt === null;
}

/**
 * Selects the winner by scores alone. If the poster scored any entry, the poster's highest score wins. Otherwise the AI
 * judge's highest score wins, but only if it scored every entry: an entry that it could not see must not lose for that
 * reason.
 *
 * @returns null if the scores decide nothing
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

/**
 * The higher score comes first, entries without a score last. Ties go to the earlier confirmation, then to the lower
 * id.
 */
function byRank(a: Entry, b: Entry): number {
  return (b.score ?? 0) - (a.score ?? 0) || byConfirmation(a, b);
}

function byConfirmation(a: Entry, b: Entry): number {
  return a.submittedAt.getTime() - b.submittedAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** Gives the whole prize to one winner. A disqualified entry loses and has no rank. */
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

/** Splits the prize into equal shares of whole microdollars. The earliest confirmed entry gets the remainder. */
export function decideSplit(entries: Entry[], receivesMicro: number): Decided[] {
  const eligible = entries.filter(isEligible).toSorted(byConfirmation);
  const share = Math.floor(receivesMicro / eligible.length);
  const first = eligible[0]?.id;
  return ranked(entries, (entry) => ({
    outcome: 'shared' as const,
    earningsMicro: share + (entry.id === first ? receivesMicro - share * eligible.length : 0),
  }));
}

function ranked(entries: Entry[], resultOf: (entry: Entry) => Pick<Decided, 'outcome' | 'earningsMicro'>): Decided[] {
  const rankedEntries = entries
    .filter(isEligible)
    .toSorted(byRank)
    .map((entry, index) => ({ id: entry.id, rank: index + 1, ...resultOf(entry) }));
  const disqualified = entries.filter((entry) => !isEligible(entry));
  return [
    ...rankedEntries,
    ...disqualified.map(({ id }) => ({ id, rank: null, outcome: 'lost' as const, earningsMicro: 0 })),
  ];
}
