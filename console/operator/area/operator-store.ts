import type { ApiData } from '../../api/public.ts';
import { createHooks, createKeyStore, type KeyStore } from '../../signed-in/public.ts';
import { withApprovals } from './approval-needed.ts';
import { withCodes } from './codes.ts';

const store = createKeyStore('operator', async (api) => await api.call('GET /operator/me', {}));

/** Every act asks for a code if it needs one, and throws `Postponed` if it waits for another operator. */
export const operatorStore: KeyStore = { ...store, api: withApprovals(withCodes(store.api)) };
export const { useApiQuery, useApiPages, useRefresh } = createHooks(operatorStore);

/** The operator of this key, with its scopes. */
export function useMe() {
  return useApiQuery('GET /operator/me', {}, LIST_MS);
}

export type Overview = ApiData<'GET /operator/overview'>;
export type Flag = ApiData<'GET /operator/flags'>['flags'][number];

/** Refetch interval of lists. */
export const LIST_MS = 10_000;
