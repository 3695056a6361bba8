import type { ApiData } from '../../api/public.ts';
import { createHooks } from '../../signed-in/public.ts';
import { withApprovals } from './approval-needed.ts';
import { withCodes } from './codes.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';

const store = createSessionStore();

/** Every act asks for a code if it needs one, and throws `Postponed` if it waits for another operator. */
export const operatorStore: SessionStore = { ...store, api: withApprovals(withCodes(store.api)) };
export const { useApiQuery, useApiPages, useRefresh } = createHooks(operatorStore);

/** The operator of this key, with its scopes. */
export function useMe() {
  return useApiQuery('GET /operator/me', {}, LIST_MS);
}

export type Overview = ApiData<'GET /operator/overview'>;
export type Flag = ApiData<'GET /operator/flags'>['flags'][number];

/** Refetch interval of lists. */
export const LIST_MS = 10_000;
