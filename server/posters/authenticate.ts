import type { PosterScope } from '../../contract/basics/scope.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { createKeyCache, findKeys, keyPrefix, type KeyRow, recordKeyUse, createSessionCache } from '../keys/public.ts';
import type { PosterCaller } from '../callers.ts';
import type { KnownKeys } from '../keys/types.ts';

/** Returns the caller of a poster's key. */
function posterOf({ id: keyId, accountId: posterId, scope }: KeyRow): PosterCaller {
  return { kind: 'poster', posterId, keyId, scope: scope as PosterScope };
}

function recordUseIn(db: Db) {
  return ({ keyId }: PosterCaller, now: Date): void => {
    if (keyId !== null) recordKeyUse(db, keyId, now);
  };
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
  const cache = createKeyCache({ clock, prefix, onUse: recordUseIn(db) }, async (keyId) => {
    const [key] = await findKeys(db, 'poster', [keyId]);
    return key ? { secretHash: key.secretHash, caller: posterOf(key) } : null;
  });
  return { authenticate: cache.find, forget: cache.forget };
}

/** Creates the authenticator of session tokens; a process needs one. A database failure is thrown. */
export function createSessionAuthenticator(deps: Pick<Deps, 'db' | 'clock' | 'network'>): PosterAuthenticator {
  const onUse = recordUseIn(deps.db);
  const cache = createSessionCache<PosterCaller>(
    deps,
    { kind: 'poster', onUse },
    async ({ accountId: posterId, keyId }) => {
      if (keyId === null) return { kind: 'poster', posterId, keyId, scope: 'full' };
      const [key] = await findKeys(deps.db, 'poster', [keyId]);
      return key ? posterOf(key) : null;
    },
  );
  return { authenticate: cache.find, forget: cache.forget };
}
