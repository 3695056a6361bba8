import type { ApiData } from '../../api/public.ts';
import { createHooks, createKeyStore } from '../../signed-in/public.ts';

export const operatorStore = createKeyStore(
  'operator',
  async (api) => await api.call('GET /operator/flags', { query: { limit: 1 } }),
);
export const { useApiQuery, useApiPages, useRefresh } = createHooks(operatorStore);

export type Overview = ApiData<'GET /operator/overview'>;
export type Flag = ApiData<'GET /operator/flags'>['flags'][number];

/** Refetch interval of lists. */
export const LIST_MS = 10_000;
