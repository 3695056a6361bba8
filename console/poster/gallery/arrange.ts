/** The fields that determine an entry's position. */
type JudgedEntry = {
  id: string;
  submitted_at: string;
  score: number | null;
  disqualified_at: string | null;
  outcome?: string | null;
};

export type Filter = 'all' | 'unscored' | 'scored' | 'disqualified';
export type Order = 'unscored' | 'newest' | 'best';

export const FILTERS: readonly Filter[] = ['all', 'unscored', 'scored', 'disqualified'];
export const ORDERS: readonly Order[] = ['unscored', 'newest', 'best'];

export type Arrangement = { key: string; ids: string[] };

type View = { filter: Filter; order: Order; loaded: boolean };

/**
 * Selects and sorts entries. Positions stay fixed while the poster judges: scored entries keep their place and new
 * entries come last, until the poster chooses another filter or order.
 */
export function arrange(before: Arrangement, entries: JudgedEntry[], { filter, order, loaded }: View): Arrangement {
  const key = `${filter} ${order} ${loaded}`;
  const matching = entries.filter((entry) => matches(entry, filter));
  if (key !== before.key) return { key, ids: matching.toSorted(COMPARE[order]).map(({ id }) => id) };
  const there = new Set(before.ids);
  const fresh = matching.filter(({ id }) => !there.has(id)).map(({ id }) => id);
  return fresh.length === 0 ? before : { key, ids: [...before.ids, ...fresh] };
}

function matches({ disqualified_at: disqualified, score }: JudgedEntry, filter: Filter): boolean {
  if (filter === 'disqualified') return disqualified !== null;
  if (filter === 'all') return true;
  return disqualified === null && (score === null) === (filter === 'unscored');
}

const byTime = (a: JudgedEntry, b: JudgedEntry) => a.submitted_at.localeCompare(b.submitted_at);

const wonBy = ({ outcome }: JudgedEntry) => Number(outcome === 'won');

const COMPARE: Record<Order, (a: JudgedEntry, b: JudgedEntry) => number> = {
  unscored: (a, b) => Number(a.score !== null) - Number(b.score !== null) || byTime(a, b),
  newest: (a, b) => byTime(b, a),
  // The poster may choose a winner that does not have the best score.
  best: (a, b) => wonBy(b) - wonBy(a) || (b.score ?? 0) - (a.score ?? 0) || byTime(a, b),
};
