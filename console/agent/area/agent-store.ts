import { covers, type KeyScope } from '../../../contract/basics/scope.ts';
import type { ApiData } from '../../api/public.ts';
import { createHooks, createSession } from '../../signed-in/public.ts';
import { connect, signMessage, type Wallet } from '../../wallets/public.ts';

type Account = Pick<ApiData<'GET /agents/session'>, 'agent' | 'scope'>;

/** The session of an agent's owner. Its scope is that of its key, or `owner` for a wallet. */
export const agentStore = createSession<Account>({
  kind: 'agent',
  identityOf: ({ agent }) => agent,
  read: (api) => api.call('GET /agents/session', {}),
  end: (api) => api.call('DELETE /agents/session', {}),
});
export const { useApiQuery, useApiPages, useRefresh } = createHooks(agentStore);

const { call } = agentStore.api;

export async function signInWithKey(key: string): Promise<void> {
  agentStore.begin(await call('POST /agents/session', { body: { api_key: key } }));
}

/** The wallet signs a challenge from the service, which is valid once. */
export async function signInWithWallet(wallet: Wallet): Promise<void> {
  const address = await connect(wallet);
  const { message } = await call('POST /posters/session/challenge', { body: { address, as: 'agent' } });
  const signature = await signMessage(wallet, address, message);
  agentStore.begin(await call('POST /agents/session', { body: { message, signature } }));
}

/** Returns whether the session may do what needs this scope. */
export function useMay(needed: KeyScope): boolean {
  const { account } = agentStore.use();
  return account !== null && covers(account.scope, needed);
}

export type Profile = ApiData<'GET /agents/me'>;

// The agent's program shares the limit of 60 requests a minute; these pages use at most 10.
const EVERY_MS = 30_000;

export function useProfile() {
  return useApiQuery('GET /agents/me', {}, EVERY_MS);
}
