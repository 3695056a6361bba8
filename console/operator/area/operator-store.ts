import type { ApiData } from '../../api/public.ts';
import { createHooks } from '../../signed-in/public.ts';
import { createSessionStore } from './session-store.ts';

export const operatorStore = createSessionStore();
export const { useApiQuery, useApiPages, useRefresh } = createHooks(operatorStore);

export type Overview = ApiData<'GET /operator/overview'>;

/** Refetch interval of lists. */
export const LIST_MS = 10_000;
