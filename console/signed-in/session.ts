import { type Api, api, ApiError, createStore, markedSession, markSession, type SessionKind } from '../api/public.ts';
import { signedIn } from '../messages/public.ts';
import { notify } from './notices.tsx';

type State<Account> = {
  /** The account that is signed in, or whose session the service has ended on this page; otherwise null. */
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
  /**
   * Sends the person's credentials with every request. A 401 ends the session. Nothing is sent once the browser has
   * another session than this tab: a sign-in or a sign-out in another tab changes the cookie of all tabs.
   */
  api: Api;
  use(): State<Account>;
  owner(): string;
  /** Asks who is signed in, unless that is known. */
  resume(): Promise<void>;
  /** The service has begun a session. */
  begin(account: Account): void;
  /** Signs out. If that fails, the session goes on, and the person stays signed in. @throws ApiError */
  forget(): Promise<void>;
};

type SessionParts<Account> = {
  kind: SessionKind;
  identityOf: (account: Account) => { id: string; name: string };
  read: (api: Api) => Promise<Account>;
  end: (api: Api) => Promise<unknown>;
};

export function createSession<Account>({ kind, identityOf, read, end }: SessionParts<Account>): Session<Account> {
  let sessions = 0;
  const nobody = { account: null, owner: kind, isExpired: false, isKnown: true, failure: null };
  const state = createStore<State<Account>>({ ...nobody, isKnown: markedSession(kind) === null });

  const isSignedIn = () => state.get().account !== null && !state.get().isExpired;

  function ended(isExpired: boolean): void {
    markSession(kind, null);
    notify(null);
    const { account, owner } = state.get();
    state.set({ ...nobody, account: isExpired ? account : null, owner, isExpired });
  }
  function begin(account: Account): void {
    sessions += 1;
    const { id, name } = identityOf(account);
    const { isKnown, owner } = state.get();
    markSession(kind, id);
    const isReplaced = !isKnown && owner !== kind && owner !== id;
    // Once the page has the place of notices: screen readers announce what appears in it later.
    if (isReplaced) setTimeout(() => notify({ tone: 'warn', text: signedIn.replaced({ name }) }));
    state.set({ ...nobody, account, owner: id });
  }
  async function resume(): Promise<void> {
    if (state.get().isKnown) return;
    try {
      begin(await read(api));
    } catch (error) {
      if (isSignedOut(error)) ended(true);
      else state.set({ ...state.get(), failure: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  return {
    api: {
      async call(route, input) {
        const at = sessions;
        const { owner } = state.get();
        if (isSignedIn() && markedSession(kind) !== owner) {
          state.set({ ...nobody, owner, isKnown: false });
          void resume();
        }
        if (!state.get().isKnown) throw new Error('another tab has changed the session');
        try {
          return await api.call(route, input);
        } catch (error) {
          // A 401 may be about an earlier session.
          if (isSignedOut(error) && at === sessions && isSignedIn()) ended(true);
          throw error;
        }
      },
    },
    use: state.use,
    owner: () => state.get().owner,
    begin,
    resume,
    async forget() {
      await end(api).catch((error: unknown) => {
        if (!isSignedOut(error)) throw error;
      });
      ended(false);
    },
  };
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
