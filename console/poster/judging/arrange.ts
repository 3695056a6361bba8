/** The fields that determine an entry's position. */
type JudgedEntry = {
  id: string;
  submitted_at: string;
  score: number | null;
  mark: 'shortlist' | 'out' | null;
  disqualified_at: string | null;
  outcome?: string | null;
};

export type Filter = 'all' | 'unscored' | 'scored' | 'shortlist' | 'out' | 'disqualified';
export type Order = 'unscored' | 'newest' | 'best';

export const FILTERS: readonly Filter[] = ['all', 'unscored', 'scored', 'shortlist', 'out', 'disqualified'];
export const ORDERS: readonly Order[] = ['unscored', 'newest', 'best'];

export type Arrangement = { key: string; ids: string[] };

type View = { filter: Filter; order: Order; loaded: boolean };

/**
 * Selects and sorts entries. Positions stay fixed while the poster judges: entries that get a score or a mark keep their
 * place and new entries come last, until the poster chooses another filter or order.
 */
export function arrange(before: Arrangement, entries: JudgedEntry[], { filter, order, loaded }: View): Arrangement {
  const key = `${filter} ${order} ${loaded}`;
  const matching = entries.filter((entry) => MATCHES[filter](entry));
  if (key !== before.key) return { key, ids: matching.toSorted(COMPARE[order]).map(({ id }) => id) };
  const there = new Set(before.ids);
  const fresh = matching.filter(({ id }) => !there.has(id)).map(({ id }) => id);
  return fresh.length === 0 ? before : { key, ids: [...before.ids, ...fresh] };
}

/** An entry that the poster marked as out needs no score. */
const needsScore = ({ score, mark, disqualified_at: disqualified }: JudgedEntry) =>
  score === null && mark !== 'out' && disqualified === null;

const MATCHES: Record<Filter, (entry: JudgedEntry) => boolean> = {
  all: () => true,
  unscored: needsScore,
  scored: ({ score, disqualified_at: disqualified }) => score !== null && disqualified === null,
  shortlist: ({ mark }) => mark === 'shortlist',
  out: ({ mark }) => mark === 'out',
  disqualified: ({ disqualified_at: disqualified }) => disqualified !== null,
};

const byTime = (a: JudgedEntry, b: JudgedEntry) => a.submitted_at.localeCompare(b.submitted_at);

const wonBy = ({ outcome }: JudgedEntry) => Number(outcome === 'won');

const COMPARE: Record<Order, (a: JudgedEntry, b: JudgedEntry) => number> = {
  unscored: (a, b) => Number(needsScore(b)) - Number(needsScore(a)) || byTime(a, b),
  newest: (a, b) => byTime(b, a),
  // The poster may choose a winner that does not have the best score.
  best: (a, b) => wonBy(b) - wonBy(a) || (b.score ?? 0) - (a.score ?? 0) || byTime(a, b),
};
