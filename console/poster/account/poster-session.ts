import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Api, type ApiData, ApiError, createApi, markedSession, markSession } from '../../api/public.ts';
import { connect, signMessage, type Wallet } from '../../wallets/public.ts';

const plain = createApi();
/** Dispatches `lost` when the service rejects the session. */
const lost = new EventTarget();

/** The client of the signed-in poster. The browser sends the session cookie; scripts cannot read it. */
export const posterApi: Api = {
  call: async (route, input) => await plain.call(route, input).catch(noticed),
};

function noticed(error: unknown): never {
  if (isSignedOut(error)) lost.dispatchEvent(new Event('lost'));
  throw error;
}

export type Session = ApiData<'GET /posters/session'>;

const sessionKey = ['GET /posters/session'];

const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async (): Promise<Session | null> => {
    if (markedSession('poster') === null) return null;
    try {
      return await posterApi.call('GET /posters/session', {});
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      markSession('poster', null);
      return null;
    }
  },
  staleTime: 60_000,
});

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Returns the session; its data is null if nobody is signed in. `isExpired`: the service ended the session. */
export function useSession() {
  const queries = useQueryClient();
  const [isExpired, setExpired] = useState(false);
  useEffect(() => {
    const onLost = () => {
      if (!queries.getQueryData(sessionKey)) return;
      setExpired(true);
      endSession(queries);
    };
    lost.addEventListener('lost', onLost);
    return () => lost.removeEventListener('lost', onLost);
  }, [queries]);
  return { query: useQuery(sessionQuery), isExpired };
}

function endSession(queries: QueryClient): void {
  markSession('poster', null);
  queries.setQueryData(sessionKey, null);
}

/** Changes the poster's public name. */
export async function rename(queries: QueryClient, name: string): Promise<void> {
  queries.setQueryData(sessionKey, await posterApi.call('PATCH /posters/me', { body: { poster_name: name } }));
}

function begun(queries: QueryClient, { poster, scope, session, suspension }: Session): void {
  markSession('poster', poster.id);
  queries.setQueryData(sessionKey, { poster, scope, session, suspension });
}

/** The wallet signs a challenge from the service, which is valid once. */
export async function signInWithWallet(queries: QueryClient, wallet: Wallet, name: string): Promise<void> {
  const address = await connect(wallet);
  const { message } = await posterApi.call('POST /posters/session/challenge', { body: { address } });
  const signature = await signMessage(wallet, address, message);
  const poster_name = name.trim() === '' ? undefined : name.trim();
  begun(queries, await posterApi.call('POST /posters/session', { body: { message, signature, poster_name } }));
  rememberWallet(wallet);
}

export async function signInWithKey(queries: QueryClient, key: string): Promise<void> {
  begun(queries, await posterApi.call('POST /posters/session', { body: { api_key: key.trim() } }));
}

export async function signOut(queries: QueryClient): Promise<void> {
  await posterApi.call('DELETE /posters/session', {}).catch((error: unknown) => {
    if (!isSignedOut(error)) throw error;
  });
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
  endSession(queries);
}

const WALLET = 'concours-wallet';

/** Remembers the wallet, so publishing offers it first. */
export function rememberWallet({ name }: Wallet): void {
  localStorage.setItem(WALLET, name);
}

export function rememberedWallet(): string | null {
  return localStorage.getItem(WALLET);
}
