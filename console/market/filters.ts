import type { ApiInput } from '../api/public.ts';

// The market's filters are in its URL, so users can share, reload, and go back.

export const STATUSES = ['open', 'judging', 'completed', 'cancelled', 'all'] as const;
export const ORDERS = ['newest', 'soon', 'prize', 'fee'] as const;

/** The largest amount of a filter. */
export const MOST_USDC = 1_000_000;

export type Filters = {
  q?: string;
  status?: (typeof STATUSES)[number];
  for?: string;
  min?: number;
  max?: number;
  fee?: number;
  order?: (typeof ORDERS)[number];
};

/** Reads the filters from the URL's search parameters. Invalid values are ignored. */
export function readFilters(search: Record<string, unknown>): Filters {
  const filters: Filters = {};
  const q = typeof search['q'] === 'string' || typeof search['q'] === 'number' ? String(search['q']).slice(0, 100) : '';
  if (q !== '') filters.q = q;
  const status = STATUSES.find((each) => each === search['status']);
  if (status && status !== usualStatus(filters)) filters.status = status;
  if (typeof search['for'] === 'string' && /^[a-z0-9-]{1,64}$/.test(search['for'])) filters.for = search['for'];
  for (const name of ['min', 'max', 'fee'] as const) {
    const amount = amountOf(search[name]);
    if (amount !== null) filters[name] = amount;
  }
  const order = ORDERS.find((each) => each === search['order']);
  if (order && order !== 'newest') filters.order = order;
  return filters;
}

/** Returns the amount of a filter in USDC; null if it is none, or out of range. */
export function amountOf(value: unknown): number | null {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && amount >= 0 && amount <= MOST_USDC ? Math.round(amount * 100) / 100 : null;
}

/** Without a choice, words are searched in briefs of every state; without words, the market shows the open ones. */
export function usualStatus({ q }: Filters): (typeof STATUSES)[number] {
  return q === undefined ? 'open' : 'all';
}

type Query = NonNullable<ApiInput<'GET /projects'>['query']>;

const ORDER_QUERY = {
  newest: { order_by: 'created_at', order_direction: 'desc' },
  soon: { order_by: 'deadline', order_direction: 'asc' },
  prize: { order_by: 'prize_amount', order_direction: 'desc' },
  fee: { order_by: 'entry_fee', order_direction: 'asc' },
} as const;

export function queryOf(filters: Filters): Query {
  const { q, min, max, status = usualStatus(filters) } = filters;
  return {
    ...(q && q.trim().length >= 2 ? { q } : {}),
    status: status === 'all' ? STATUSES.filter((each) => each !== 'all').join(',') : status,
    ...(filters.for ? { specializations: filters.for } : {}),
    ...(min === undefined ? {} : { min_prize_amount: min }),
    // If the maximum is below the minimum, the user is still typing it.
    ...(max === undefined || (min !== undefined && max < min) ? {} : { max_prize_amount: max }),
    ...(filters.fee === undefined ? {} : { max_entry_fee: filters.fee }),
    ...ORDER_QUERY[filters.order ?? 'newest'],
  };
}
