import type { Deps } from '../deps.ts';
import { createSessionCache, findKeys, recordKeyUse } from '../keys/public.ts';
import type { PosterCaller } from '../callers.ts';
import { type PosterAuthenticator, posterOf } from './authenticate.ts';

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
