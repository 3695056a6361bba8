import type { Deps } from '../deps.ts';
import { keyPrefix, createKeyCache } from '../keys/public.ts';
import { findKeyHolder } from './queries.ts';
import type { PosterCaller } from '../ports/callers.ts';

export type PosterAuthenticator = {
  /**
   * Finds the poster that owns this API key. Returns null if the key is malformed, unknown, wrong, expired, or of
   * another network.
   */
  authenticate(text: string): Promise<PosterCaller | null>;
};

/** Creates the authenticator; a process needs one. A database failure is thrown. */
export function createPosterAuthenticator({
  reads,
  clock,
  network,
}: Pick<Deps, 'reads' | 'clock' | 'network'>): PosterAuthenticator {
  const prefix = keyPrefix('poster', network.testnet);
  const cache = createKeyCache({ clock, prefix }, (keyId) => findKeyHolder(reads, keyId));
  return {
    authenticate: (text) => cache.find(text),
  };
}
