import { useSyncExternalStore } from 'react';
import { type Api, ApiError, createApi } from '../../api/public.ts';
import type { AreaStore } from '../../signed-in/public.ts';

type State = {
  isOpen: boolean;
  owner: string;
  isExpired: boolean;
  /** Whether the service has answered who is signed in. `failure`: it did not answer. */
  isKnown: boolean;
  failure: Error | null;
  /** Why the identity provider or the service refused the sign-in. */
  refusal: Error | null;
};

/** The session of an operator. Scripts cannot read its cookie, so a reload asks the service whether it goes on. */
export type SessionStore = AreaStore & {
  useState(): State;
  /** Leaves for the page of the identity provider, which comes back here. @throws ApiError if it is not available */
  leaveForProvider(): Promise<void>;
  /** Finishes a sign-in at the identity provider, or asks whether the session of the cookie goes on, unless that is known. */
  resume(): Promise<void>;
  /** Exchanges a key for a session, and forgets the key. @throws ApiError if the service rejects the key */
  open(key: string): Promise<void>;
};

// Marks that this browser has had a session. Without the mark, the page does not ask for one.
const MARK = 'concours-operator';
// The service ends a session after 30 minutes without a person. The pages refresh themselves, which does not count.
const KEEP_MS = 60_000;

// The state of a sign-in at the identity provider, kept until the browser comes back. The service needs it to finish.
const FLOW = 'concours-operator-sign-in';

const NOBODY: State = {
  isOpen: false,
  owner: 'operator 0',
  isExpired: false,
  isKnown: true,
  failure: null,
  refusal: null,
};

/** Returns what the identity provider added to the address of this page, and removes it from there. Null: nothing. */
function takeAnswer(): { flow: string; answer: string } | null {
  const { search, pathname } = location;
  const flow = localStorage.getItem(FLOW);
  if (flow === null || !new URLSearchParams(search).has('state')) return null;
  localStorage.removeItem(FLOW);
  history.replaceState(history.state, '', pathname);
  return { flow, answer: search };
}

/** Calls `then` after keys and clicks, at most once a minute. */
function onSignsOfAPerson(then: () => void): void {
  let at = Number.NEGATIVE_INFINITY;
  const heed = ({ timeStamp }: Event) => {
    if (timeStamp - at < KEEP_MS) return;
    at = timeStamp;
    then();
  };
  for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, heed, { capture: true, passive: true });
}

/** Holds the state, and renders the components that use it when it changes. */
function createState(initial: State) {
  const listeners = new Set<() => void>();
  let state = initial;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    state: () => state,
    set(changed: Partial<State>): void {
      state = { ...state, ...changed };
      for (const listener of listeners) listener();
    },
    useState: () => useSyncExternalStore(subscribe, () => state),
  };
}

export function createSessionStore(): SessionStore {
  const plain = createApi();
  let sessions = 0;
  const { state, set, useState } = createState({
    ...NOBODY,
    isKnown: localStorage.getItem(MARK) === null && localStorage.getItem(FLOW) === null,
  });

  function begin(): void {
    sessions += 1;
    localStorage.setItem(MARK, 'yes');
    set({ isOpen: true, owner: `operator ${sessions}`, isExpired: false, isKnown: true, failure: null, refusal: null });
  }

  function end(isExpired: boolean): void {
    localStorage.removeItem(MARK);
    set({ isOpen: false, isExpired, isKnown: true, failure: null });
  }

  /** If another session began in the meantime, a 401 is about the earlier one. */
  async function guarded<T>(request: Promise<T>): Promise<T> {
    const at = sessions;
    try {
      return await request;
    } catch (error) {
      if (isSignedOut(error) && at === sessions && state().isOpen) end(true);
      throw error;
    }
  }

  onSignsOfAPerson(() => {
    // Without an answer, the next key or click tries again after a minute.
    if (state().isOpen) guarded(plain.call('GET /operator/session', {})).catch(() => {});
  });

  return {
    api: { call: async (route, input) => await guarded(plain.call(route, input)) },
    useState,
    use: useState,
    owner: () => state().owner,
    async resume() {
      if (state().isKnown) return;
      const body = takeAnswer();
      try {
        await (body ? plain.call('POST /operator/session', { body }) : plain.call('GET /operator/session', {}));
        begin();
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        if (body) set({ isKnown: true, refusal: failure });
        else if (isSignedOut(error)) end(localStorage.getItem(MARK) !== null);
        else set({ failure });
      }
    },
    leaveForProvider: async () => await leaveForProvider(plain),
    async open(key) {
      await plain.call('POST /operator/session', { body: { api_key: key } });
      begin();
    },
    forget() {
      void signOut(plain, () => end(false));
    },
  };
}

async function leaveForProvider(api: Api): Promise<void> {
  const { url, flow } = await api.call('POST /operator/session/provider', {});
  localStorage.setItem(FLOW, flow);
  location.assign(url);
}

/** Ends the session here, and at the identity provider if it has a page for that. */
async function signOut(api: Api, end: () => void): Promise<void> {
  try {
    const { provider_url: url } = await api.call('DELETE /operator/session', {});
    end();
    if (url !== null) location.assign(url);
  } catch (error) {
    // Without an answer, the session would go on unseen: stay signed in.
    if (isSignedOut(error)) end();
  }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
