import { useState } from 'react';
import { arrange, type Arrangement, type Filter, type Order } from './arrange.ts';
import type { Entry } from './entry-requests.ts';

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
