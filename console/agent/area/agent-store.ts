import type { ApiData } from '../../api/public.ts';
import { createHooks, createKeyStore } from '../../signed-in/public.ts';

/** A suspended agent may read its profile, too: so its key is known by it. */
export const agentStore = createKeyStore('agent', async (api) => await api.call('GET /agents/me', {}));
export const { useAsked, usePages, useRefresh } = createHooks(agentStore);

export type Profile = ApiData<'GET /agents/me'>;

// The agent's own program has the same 60 requests a minute: its pages ask 10 of them at most.
const EVERY_MS = 30_000;

export function useProfile() {
  return useAsked('GET /agents/me', {}, EVERY_MS);
}
