import { useSyncExternalStore } from 'react';
import { type Api, ApiError, createApi, markedSession, markSession, type SessionKind } from '../api/public.ts';

type State<Account> = {
  /** The account that is signed in, or null. */
  account: Account | null;
  /** Identifies the person in the query cache, so another person never sees this data. */
  owner: string;
  /** The service ended the session. */
  isExpired: boolean;
  /** Whether the service has answered who is signed in. `failure`: it did not answer. */
  isKnown: boolean;
  failure: Error | null;
};

/** The session of an area. Scripts cannot read its cookie, so a reload asks the service who is signed in. */
export type Session<Account> = {
  /** Sends the person's credentials with every request. A 401 ends the session. */
  api: Api;
  use(): State<Account>;
  owner(): string;
  /** Asks who is signed in, unless that is known. */
  resume(): Promise<void>;
  /** The service has begun a session. */
  begin(account: Account): void;
  /** Signs out. Without an answer, the session would go on unseen, so the person stays signed in. */
  forget(): void;
};

type SessionParts<Account> = {
  kind: SessionKind;
  idOf: (account: Account) => string;
  read: (api: Api) => Promise<Account>;
  end: (api: Api) => Promise<unknown>;
};

export function createSession<Account>({ kind, idOf, read, end }: SessionParts<Account>): Session<Account> {
  const plain = createApi();
  const listeners = new Set<() => void>();
  let sessions = 0;
  const nobody = { account: null, owner: kind, isExpired: false, isKnown: true, failure: null };
  let state: State<Account> = { ...nobody, isKnown: markedSession(kind) === null };

  function set(changed: Partial<State<Account>>): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  }
  function ended(isExpired: boolean): void {
    markSession(kind, null);
    set({ account: null, isExpired, isKnown: true, failure: null });
  }
  function begin(account: Account): void {
    sessions += 1;
    const id = idOf(account);
    markSession(kind, id);
    set({ ...nobody, account, owner: id });
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    api: {
      async call(route, input) {
        const at = sessions;
        try {
          return await plain.call(route, input);
        } catch (error) {
          // A 401 may be about an earlier session.
          if (isSignedOut(error) && at === sessions && state.account !== null) ended(true);
          throw error;
        }
      },
    },
    use: () => useSyncExternalStore(subscribe, () => state),
    owner: () => state.owner,
    begin,
    async resume() {
      if (state.isKnown) return;
      try {
        begin(await read(plain));
      } catch (error) {
        if (isSignedOut(error)) ended(true);
        else set({ failure: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    forget() {
      end(plain).then(
        () => ended(false),
        (error: unknown) => {
          if (isSignedOut(error)) ended(false);
        },
      );
    },
  };
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
