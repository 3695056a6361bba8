import type { Deps } from '../deps.ts';
import { keyPrefix, parseKey, createKeyCache } from '../keys/public.ts';
import { findKeyHolder } from './queries.ts';
import type { PosterCaller } from '../ports/callers.ts';

export type PosterAuthenticator = {
  /** The poster behind a key's text, or null when it is malformed, of another network, unknown, wrong or over. */
  authenticate(text: string): Promise<PosterCaller | null>;
};

/** One per process. A failure of the database is thrown on. */
export function createPosterAuthenticator({
  reads,
  clock,
  network,
}: Pick<Deps, 'reads' | 'clock' | 'network'>): PosterAuthenticator {
  const prefix = keyPrefix('poster', network.testnet);
  const cache = createKeyCache(clock, (keyId) => findKeyHolder(reads, keyId));
  return {
    async authenticate(text) {
      const key = parseKey(text);
      return key?.prefix === prefix ? await cache.find(key) : null;
    },
  };
}
