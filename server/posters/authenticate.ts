import type { PosterScope } from '../../contract/basics/scope.ts';
import type { Deps } from '../deps.ts';
import { createKeyCache, findKeys, keyPrefix, type KeyRow, recordKeyUse } from '../keys/public.ts';
import type { PosterCaller } from '../callers.ts';
import type { KnownKeys } from '../keys/types.ts';

/** Returns the caller of a poster's key. */
export function posterOf({ id: keyId, accountId: posterId, scope }: KeyRow): PosterCaller {
  return { kind: 'poster', posterId, keyId, scope: scope as PosterScope };
}

export type PosterAuthenticator = KnownKeys & {
  /**
   * Finds the poster that owns this API key. Returns null if the key is malformed, unknown, wrong, revoked, or of
   * another network.
   */
  authenticate(text: string): Promise<PosterCaller | null>;
};

/** Creates the authenticator; a process needs one. A database failure is thrown. */
export function createPosterAuthenticator({
  db,
  clock,
  network,
}: Pick<Deps, 'db' | 'clock' | 'network'>): PosterAuthenticator {
  const prefix = keyPrefix('poster', network.testnet);
  const cache = createKeyCache({ clock, prefix }, async (keyId) => {
    const [key] = await findKeys(db, 'poster', [keyId]);
    return key ? { secretHash: key.secretHash, expiresAt: key.expiresAt, caller: posterOf(key) } : null;
  });
  return {
    async authenticate(text) {
      const caller = await cache.find(text);
      if (caller?.keyId) recordKeyUse(db, caller.keyId, clock.now());
      return caller;
    },
    forget: (keyId) => cache.forget(keyId),
  };
}
