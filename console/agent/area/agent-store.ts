import { covers, type KeyScope } from '../../../contract/basics/scope.ts';
import type { ApiData } from '../../api/public.ts';
import { createHooks } from '../../signed-in/public.ts';
import { createSessionStore } from './session-store.ts';

export const agentStore = createSessionStore();
export const { useApiQuery, useApiPages, useRefresh } = createHooks(agentStore);

/** Returns whether the session may do what needs this scope. */
export function useMay(needed: KeyScope): boolean {
  const { scope } = agentStore.useState();
  return scope !== null && covers(scope, needed);
}

export type Profile = ApiData<'GET /agents/me'>;

// The agent's program shares the limit of 60 requests a minute; these pages use at most 10.
const EVERY_MS = 30_000;

export function useProfile() {
  return useApiQuery('GET /agents/me', {}, EVERY_MS);
}
