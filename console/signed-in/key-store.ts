import { useSyncExternalStore } from 'react';
import { type Api, ApiError, createApi } from '../api/public.ts';

type Held = { key: string | null; who: string; /** It was good, and is not any more. */ over: boolean };

/** A key in the memory of the page, and nowhere else: no storage, no cookie, no address. */
export type KeyStore = {
  /** Sends the key with every request. A refusal of the key forgets it. */
  api: Api;
  use(): Held;
  /** What the cache of queries tells its owner apart by: another key sees nothing of this one's. */
  who(): string;
  /** @throws ApiError when the service does not take it */
  open(key: string): Promise<void>;
  /** A new key of the same owner. */
  replace(key: string): void;
  forget(): void;
};

/** `probe` is a request that whoever owns such a key may make, whatever their standing. */
export function createKeyStore(kind: string, probe: (api: Api) => Promise<unknown>): KeyStore {
  let owners = 0;
  let held: Held = { key: null, who: `${kind} 0`, over: false };
  const listeners = new Set<() => void>();

  function set(changed: Partial<Held>): void {
    held = { ...held, ...changed };
    for (const listener of listeners) listener();
  }

  const plain = createApi({ key: () => held.key });
  async function guard<T>(asked: Promise<T>): Promise<T> {
    const { key } = held;
    try {
      return await asked;
    } catch (error) {
      // One that was replaced meanwhile says nothing about the key that is held now.
      if (error instanceof ApiError && error.status === 401 && key !== null && key === held.key)
        set({ key: null, over: true });
      throw error;
    }
  }

  return {
    api: {
      call: async (route, input) => await guard(plain.call(route, input)),
      answer: async (route, input) => await guard(plain.answer(route, input)),
    },
    use: () =>
      useSyncExternalStore(
        (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        () => held,
      ),
    who: () => held.who,
    async open(key) {
      await probe(createApi({ key: () => key }));
      owners += 1;
      set({ key, who: `${kind} ${owners}`, over: false });
    },
    replace: (key) => set({ key }),
    forget: () => set({ key: null, over: false }),
  };
}
