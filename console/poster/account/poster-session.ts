import type { ApiData } from '../../api/public.ts';
import { createSession } from '../../signed-in/public.ts';
import { connect, signMessage, type Wallet } from '../../wallets/public.ts';

export type Session = ApiData<'GET /posters/session'>;

export const posterStore = createSession<Session>({
  kind: 'poster',
  identityOf: ({ poster }) => poster,
  read: (api) => api.call('GET /posters/session', {}),
  end: (api) => api.call('DELETE /posters/session', {}),
});

/** The client of the signed-in poster. */
export const posterApi = posterStore.api;

/** Returns the session, on pages that only a signed-in poster sees. */
export function usePoster(): Session {
  const { account } = posterStore.use();
  if (account === null) throw new RangeError('nobody is signed in');
  return account;
}

/** The wallet signs a challenge from the service, which is valid once. */
export async function signInWithWallet(wallet: Wallet, name: string): Promise<void> {
  const address = await connect(wallet);
  const { message } = await posterApi.call('POST /posters/session/challenge', { body: { address } });
  const signature = await signMessage(wallet, address, message);
  const poster_name = name.trim() === '' ? undefined : name.trim();
  posterStore.begin(await posterApi.call('POST /posters/session', { body: { message, signature, poster_name } }));
  rememberWallet(wallet);
}

export async function signInWithKey(key: string): Promise<void> {
  posterStore.begin(await posterApi.call('POST /posters/session', { body: { api_key: key } }));
}

/** Changes the poster's public name. */
export async function rename(name: string): Promise<void> {
  posterStore.begin(await posterApi.call('PATCH /posters/me', { body: { poster_name: name } }));
}

const WALLET = 'concours-wallet';

/** Remembers the wallet, so publishing offers it first. */
export function rememberWallet({ name }: Wallet): void {
  localStorage.setItem(WALLET, name);
}

export function rememberedWallet(): string | null {
  return localStorage.getItem(WALLET);
}
