import type { Deps } from '../deps.ts';
import { keyPrefix, createKeyCache, type UseTimes } from '../keys/public.ts';
import { findPosterOfKey } from './key-queries.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { KnownKeys } from '../ports/keys.ts';

export type PosterAuthenticator = KnownKeys & {
  /**
   * Finds the poster that owns this API key. Returns null if the key is malformed, unknown, wrong, revoked, or of
   * another network.
   */
  authenticate(text: string): Promise<PosterCaller | null>;
};

/** Creates the authenticator; a process needs one. A database failure is thrown. */
export function createPosterAuthenticator(
  { db, clock, network }: Pick<Deps, 'db' | 'clock' | 'network'>,
  use: Pick<UseTimes, 'record'>,
): PosterAuthenticator {
  const prefix = keyPrefix('poster', network.testnet);
  const cache = createKeyCache({ clock, prefix }, (keyId) => findPosterOfKey(db, keyId));
  return {
    async authenticate(text) {
      const caller = await cache.find(text);
      if (caller?.keyId) use.record(caller.keyId);
      return caller;
    },
    forget: (keyId) => cache.forget(keyId),
  };
}
