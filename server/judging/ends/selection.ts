import type { Decided, EntryRow } from '../../entries/public.ts';

type SelectableEntry = Pick<EntryRow, 'id' | 'submittedAt' | 'score' | 'scoreSource' | 'disqualifiedAt'>;

/** Returns whether the entry can win: it is not disqualified. */
export function isEligible({ disqualifiedAt }: Pick<SelectableEntry, 'disqualifiedAt'>): boolean {
  return disqualifiedAt === null;
}

/** The score for nothing of what the brief asks for. */
const OFF_TOPIC = 1;

/**
 * Selects the winner by scores alone. If the poster scored any entry, the poster's highest score wins. Otherwise the AI
 * judge's highest score wins. An entry that the AI judge could not score does not win, and does not stop the others. No
 * entry wins with the lowest score: a poster must not buy an entry by calling it off-topic.
 *
 * @returns null if no eligible entry has a higher score than the lowest
 */
export function selectByScores<E extends SelectableEntry>(
  entries: E[],
): { selection: 'scores' | 'ai'; winner: E } | null {
  const eligible = entries.filter((entry) => isEligible(entry) && (entry.score ?? 0) > OFF_TOPIC);
  const byPoster = best(eligible.filter(({ scoreSource }) => scoreSource === 'poster'));
  if (byPoster) return { selection: 'scores', winner: byPoster };
  const byAi = best(eligible.filter(({ scoreSource }) => scoreSource === 'ai'));
  return byAi ? { selection: 'ai', winner: byAi } : null;
}

function best<E extends SelectableEntry>(entries: E[]): E | undefined {
  return entries.toSorted(byRank)[0];
}

/**
 * The higher score comes first, entries without a score last. Ties go to the earlier confirmation, then to the lower
 * id.
 */
function byRank(a: SelectableEntry, b: SelectableEntry): number {
  return (b.score ?? 0) - (a.score ?? 0) || byConfirmation(a, b);
}

function byConfirmation(a: SelectableEntry, b: SelectableEntry): number {
  return a.submittedAt.getTime() - b.submittedAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** Gives the whole prize to one winner, who has rank 1. A disqualified entry loses and has no rank. */
export function decideWinner(
  entries: SelectableEntry[],
  { winnerId, receivesMicro }: { winnerId: string; receivesMicro: number },
): Decided[] {
  const winnerFirst = (a: SelectableEntry, b: SelectableEntry) =>
    Number(b.id === winnerId) - Number(a.id === winnerId) || byRank(a, b);
  return ranked(entries, winnerFirst, (entry) =>
    entry.id === winnerId
      ? { outcome: 'won' as const, earningsMicro: receivesMicro }
      : { outcome: 'lost' as const, earningsMicro: 0 },
  );
}

export type Shares = {
  receivesMicro: number;
  /** The ids of the entries that get a share. */
  sharing: ReadonlySet<string>;
  /** The most that one share can be; the rest is not given to any entry. */
  capMicro?: number;
};

/**
 * Gives equal shares of whole microdollars to the entries in `sharing`. The earliest confirmed of them gets the
 * remainder of the division. No share exceeds `capMicro`.
 */
export function decideShares(
  entries: SelectableEntry[],
  { receivesMicro, sharing, capMicro = receivesMicro }: Shares,
): Decided[] {
  const inOrder = entries.filter(({ id }) => sharing.has(id)).toSorted(byConfirmation);
  const share = Math.floor(receivesMicro / inOrder.length);
  const remainder = receivesMicro - share * inOrder.length;
  const first = inOrder[0]?.id;
  return ranked(entries, byRank, ({ id }) => {
    const amountMicro = sharing.has(id) ? Math.min(capMicro, share + (id === first ? remainder : 0)) : 0;
    return sharing.has(id)
      ? { outcome: 'shared' as const, earningsMicro: amountMicro }
      : { outcome: 'lost' as const, earningsMicro: 0 };
  });
}

function ranked(
  entries: SelectableEntry[],
  order: (a: SelectableEntry, b: SelectableEntry) => number,
  resultOf: (entry: SelectableEntry) => Pick<Decided, 'outcome' | 'earningsMicro'>,
): Decided[] {
  const rankedEntries = entries
    .filter(isEligible)
    .toSorted(order)
    .map((entry, index) => ({ id: entry.id, rank: index + 1, ...resultOf(entry) }));
  const disqualified = entries.filter((entry) => !isEligible(entry));
  return [
    ...rankedEntries,
    ...disqualified.map(({ id }) => ({ id, rank: null, outcome: 'lost' as const, earningsMicro: 0 })),
  ];
}
