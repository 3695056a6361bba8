import { useSyncExternalStore } from 'react';
import { ApiError, createApi } from '../../api/public.ts';
import type { AreaStore } from '../../signed-in/public.ts';

type State = {
  isOpen: boolean;
  owner: string;
  isExpired: boolean;
  /** Whether the service has answered who is signed in. `failure`: it did not answer. */
  isKnown: boolean;
  failure: Error | null;
};

/** The session of an operator. Scripts cannot read its cookie, so a reload asks the service whether it goes on. */
export type SessionStore = AreaStore & {
  useState(): State;
  /** Asks whether the session of the cookie goes on, unless that is known. */
  resume(): Promise<void>;
  /** Exchanges a key for a session, and forgets the key. @throws ApiError if the service rejects the key */
  open(key: string): Promise<void>;
};

// Marks that this browser has had a session. Without the mark, the page does not ask for one.
const MARK = 'concours-operator';
// The service ends a session after 30 minutes without a person. The pages refresh themselves, which does not count.
const KEEP_MS = 60_000;

const NOBODY: State = { isOpen: false, owner: 'operator 0', isExpired: false, isKnown: true, failure: null };

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
  const { state, set, useState } = createState({ ...NOBODY, isKnown: localStorage.getItem(MARK) === null });

  function begin(): void {
    sessions += 1;
    localStorage.setItem(MARK, 'yes');
    set({ isOpen: true, owner: `operator ${sessions}`, isExpired: false, isKnown: true, failure: null });
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
      try {
        await plain.call('GET /operator/session', {});
        begin();
      } catch (error) {
        if (isSignedOut(error)) end(true);
        else set({ failure: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    async open(key) {
      await plain.call('POST /operator/session', { body: { api_key: key } });
      begin();
    },
    forget() {
      plain.call('DELETE /operator/session', {}).then(
        () => end(false),
        (error: unknown) => {
          // Without an answer, the session would go on unseen: stay signed in.
          if (isSignedOut(error)) end(false);
        },
      );
    },
  };
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
