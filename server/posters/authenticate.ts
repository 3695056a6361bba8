import type { PosterScope } from '../../contract/basics/scope.ts';
import type { Deps } from '../deps.ts';
import { createKeyCache, findKeys, keyPrefix, type KeyRow, recordKeyUse, createSessionCache } from '../keys/public.ts';
import type { PosterCaller } from '../callers.ts';
import type { KnownKeys } from '../keys/types.ts';

/** Returns the caller of a poster's key. */
function posterOf({ id: keyId, accountId: posterId, scope }: KeyRow): PosterCaller {
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

/** Creates the authenticator of session tokens; a process needs one. A database failure is thrown. */
export function createSessionAuthenticator(deps: Pick<Deps, 'db' | 'clock' | 'network'>): PosterAuthenticator {
  const cache = createSessionCache<PosterCaller>(deps, 'poster', async ({ accountId: posterId, keyId }) => {
    if (keyId === null) return { caller: { kind: 'poster', posterId, keyId, scope: 'full' }, expiresAt: null };
    const [key] = await findKeys(deps.db, 'poster', [keyId]);
    return key ? { caller: posterOf(key), expiresAt: key.expiresAt } : null;
  });
  return {
    async authenticate(token) {
      const caller = await cache.find(token);
      if (caller?.keyId) recordKeyUse(deps.db, caller.keyId, deps.clock.now());
      return caller;
    },
    forget: (id) => cache.forget(id),
  };
}
