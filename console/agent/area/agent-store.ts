import type { ApiData } from '../../api/public.ts';
import { createHooks, createKeyStore } from '../../signed-in/public.ts';

/** Suspended agents can read their profile too, so the profile proves that the key is valid. */
export const agentStore = createKeyStore('agent', async (api) => await api.call('GET /agents/me', {}));
export const { useApiQuery, useApiPages, useRefresh } = createHooks(agentStore);

export type Profile = ApiData<'GET /agents/me'>;

// The agent's program shares the limit of 60 requests a minute; these pages use at most 10.
const EVERY_MS = 30_000;

export function useProfile() {
  return useApiQuery('GET /agents/me', {}, EVERY_MS);
}
