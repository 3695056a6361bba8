import { useState } from 'react';
import type { Entry } from './entry-requests.ts';

export const FILTERS = ['all', 'unscored', 'scored', 'shortlist', 'out', 'disqualified'] as const;
export const ORDERS = ['unscored', 'newest', 'best'] as const;
export type Filter = (typeof FILTERS)[number];
export type Order = (typeof ORDERS)[number];

type Arrangement = { key: string; ids: string[] };

type View = { filter: Filter; order: Order; loaded: boolean };

/**
 * Selects and sorts entries. Positions stay fixed while the poster judges: entries that get a score or a mark keep their
 * place and new entries come last, until the poster chooses another filter or order.
 */
function arrange(before: Arrangement, entries: Entry[], { filter, order, loaded }: View): Arrangement {
  const key = `${filter} ${order} ${loaded}`;
  const matching = entries.filter((entry) => MATCHES[filter](entry));
  if (key !== before.key) return { key, ids: matching.toSorted(COMPARE[order]).map(({ id }) => id) };
  const there = new Set(before.ids);
  const fresh = matching.filter(({ id }) => !there.has(id)).map(({ id }) => id);
  return fresh.length === 0 ? before : { key, ids: [...before.ids, ...fresh] };
}

/** An entry that the poster marked as out needs no score. */
const needsScore = ({ score, mark, disqualified_at: disqualified }: Entry) =>
  score === null && mark !== 'out' && disqualified === null;

const MATCHES: Record<Filter, (entry: Entry) => boolean> = {
  all: () => true,
  unscored: needsScore,
  scored: ({ score, disqualified_at: disqualified }) => score !== null && disqualified === null,
  shortlist: ({ mark }) => mark === 'shortlist',
  out: ({ mark }) => mark === 'out',
  disqualified: ({ disqualified_at: disqualified }) => disqualified !== null,
};

const byTime = (a: Entry, b: Entry) => a.submitted_at.localeCompare(b.submitted_at);

const wonBy = ({ outcome }: Entry) => Number(outcome === 'won');

const COMPARE: Record<Order, (a: Entry, b: Entry) => number> = {
  unscored: (a, b) => Number(needsScore(b)) - Number(needsScore(a)) || byTime(a, b),
  newest: (a, b) => byTime(b, a),
  // The poster may choose a winner that does not have the best score.
  best: (a, b) => wonBy(b) - wonBy(a) || (b.score ?? 0) - (a.score ?? 0) || byTime(a, b),
};

export type Arranged = ReturnType<typeof useArranged>;

/** The entries of the chosen filter in the chosen order. */
export function useArranged(list: Entry[], loaded: boolean, usual: Order) {
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setOrder] = useState<Order | null>(null);
  const order = chosen ?? usual;
  const [arranged, setArranged] = useState<Arrangement>({ key: '', ids: [] });
  const next = arrange(arranged, list, { filter, order, loaded });
  if (next !== arranged) setArranged(next);
  const byId = new Map(list.map((entry) => [entry.id, entry]));
  const shown = next.ids.flatMap((id) => byId.get(id) ?? []);
  return { shown, byId, filter, setFilter, order, setOrder };
}
