import { useSyncExternalStore } from 'react';
import { type Api, type ApiData, ApiError, createApi, markedSession, markSession } from '../../api/public.ts';
import type { AreaStore } from '../../signed-in/public.ts';
import { connect, signMessage, type Wallet } from '../../wallets/public.ts';

type Session = Pick<ApiData<'GET /agents/session'>, 'agent' | 'scope'>;
type State = {
  /** Null while nobody is signed in. */
  agentId: string | null;
  /** The scope of the session: that of its key, or `owner` for a wallet. Null while nobody is signed in. */
  scope: Session['scope'] | null;
  owner: string;
  isExpired: boolean;
  /** Whether the service has answered who is signed in. `failure`: it did not answer. */
  isKnown: boolean;
  failure: Error | null;
};

/** The session of an agent's owner. Scripts cannot read its cookie, so a reload asks the service who is signed in. */
export type SessionStore = AreaStore & {
  useState(): State;
  /** Asks who is signed in, unless that is known. */
  resume(): Promise<void>;
  signInWithKey(key: string): Promise<void>;
  signInWithWallet(wallet: Wallet): Promise<void>;
};

const NOBODY: State = {
  agentId: null,
  scope: null,
  owner: 'agent',
  isExpired: false,
  isKnown: false,
  failure: null,
};

export function createSessionStore(): SessionStore {
  const plain = createApi();
  const listeners = new Set<() => void>();
  let sessions = 0;
  let state: State = { ...NOBODY, isKnown: markedSession('agent') === null };

  function set(changed: Partial<State>): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  }

  function begin({ agent: { id }, scope }: Session): void {
    sessions += 1;
    markSession('agent', id);
    set({ agentId: id, scope, owner: `agent ${id}`, isExpired: false, isKnown: true, failure: null });
  }

  function end(isExpired: boolean): void {
    markSession('agent', null);
    set({ agentId: null, scope: null, isExpired, isKnown: true, failure: null });
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const useState = () => useSyncExternalStore(subscribe, () => state);

  return {
    api: {
      async call(route, input) {
        const at = sessions;
        try {
          return await plain.call(route, input);
        } catch (error) {
          // A 401 may be about an earlier session.
          if (isSignedOut(error) && at === sessions && state.agentId !== null) end(true);
          throw error;
        }
      },
    },
    useState,
    use() {
      const { agentId, owner, isExpired } = useState();
      return { isOpen: agentId !== null, owner, isExpired };
    },
    owner: () => state.owner,
    async resume() {
      if (state.isKnown) return;
      try {
        begin(await plain.call('GET /agents/session', {}));
      } catch (error) {
        if (isSignedOut(error)) end(true);
        else set({ failure: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    signInWithKey: async (key) => begin(await plain.call('POST /agents/session', { body: { api_key: key.trim() } })),
    signInWithWallet: async (wallet) => begin(await signedBy(plain, wallet)),
    forget() {
      plain.call('DELETE /agents/session', {}).then(
        () => end(false),
        (error: unknown) => {
          // Without an answer, the session would go on unseen: stay signed in.
          if (isSignedOut(error)) end(false);
        },
      );
    },
  };
}

/** The wallet signs a challenge from the service, which is valid once. */
async function signedBy(api: Api, wallet: Wallet): Promise<Session> {
  const address = await connect(wallet);
  const { message } = await api.call('POST /agents/session/challenge', { body: { address } });
  const signature = await signMessage(wallet, address, message);
  return await api.call('POST /agents/session', { body: { message, signature } });
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
