import { useSyncExternalStore } from 'react';
import { type Api, ApiError, beforeLanguageChange, createApi } from '../api/public.ts';

/** An area of a signed-in person, as its layout and its hooks see it. */
export type AreaStore = {
  /** Sends the person's credentials with every request. A 401 ends the area. */
  api: Api;
  use(): { isOpen: boolean; owner: string; /** The service ended it. */ isExpired: boolean };
  /** Identifies the person in the query cache, so another person never sees this data. */
  owner(): string;
  forget(): void;
};

type Held = {
  key: string | null;
  owner: string;
  /** The service has rejected a key that was valid before. */ isExpired: boolean;
};

/** Holds an API key in the page's memory: no cookie, no URL, and no storage except while the language changes. */
export type KeyStore = Omit<AreaStore, 'use'> & {
  use(): Held & { isOpen: boolean };
  /** Checks a key and keeps it. @throws ApiError if the service rejects the key. */
  open(key: string): Promise<void>;
  /** Replaces the key by a new key of the same owner. */
  replace(key: string): void;
};

const handoverOf = (kind: string) => `concours ${kind} handover`;

/** Takes the key that the same page had in another language. It is in the storage of the tab during the reload only. */
function handedOver(kind: string): string | null {
  const key = sessionStorage.getItem(handoverOf(kind));
  sessionStorage.removeItem(handoverOf(kind));
  return key;
}

/** Creates a key store. `probe` is a request that every valid key may send, whatever its owner's status. */
export function createKeyStore(kind: string, probe: (api: Api) => Promise<unknown>): KeyStore {
  let owners = 0;
  let held: Held = { key: handedOver(kind), owner: `${kind} 0`, isExpired: false };
  const listeners = new Set<() => void>();

  function set(changed: Partial<Held>): void {
    held = { ...held, ...changed };
    for (const listener of listeners) listener();
  }

  beforeLanguageChange(() => {
    // Only the pages of the area take it out of the storage again.
    if (held.key !== null && location.pathname.startsWith(`/${kind}`))
      sessionStorage.setItem(handoverOf(kind), held.key);
  });

  const plain = createApi({ key: () => held.key });
  async function guard<T>(request: Promise<T>): Promise<T> {
    const { key } = held;
    try {
      return await request;
    } catch (error) {
      // If the key was replaced in the meantime, the 401 is about the old key.
      if (error instanceof ApiError && error.status === 401 && key !== null && key === held.key)
        set({ key: null, isExpired: true });
      throw error;
    }
  }

  return {
    api: { call: async (route, input) => await guard(plain.call(route, input)) },
    use() {
      const now = useSyncExternalStore(
        (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        () => held,
      );
      return { ...now, isOpen: now.key !== null };
    },
    owner: () => held.owner,
    async open(key) {
      await probe(createApi({ key: () => key }));
      owners += 1;
      set({ key, owner: `${kind} ${owners}`, isExpired: false });
    },
    replace: (key) => set({ key }),
    forget: () => set({ key: null, isExpired: false }),
  };
}
