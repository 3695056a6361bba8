import type { Deps } from '../deps.ts';
import { createKeyCache, keyPrefix, sessionEnd, shouldExtend, type UseTimes } from '../keys/public.ts';
import { findSession, extendSession, type StoredSession } from './session-queries.ts';
import type { KnownKeys } from '../ports/keys.ts';
import type { PosterCaller } from '../ports/callers.ts';

export type SessionAuthenticator = KnownKeys & {
  /**
   * Finds the poster of a session token. Returns null if the token is malformed, unknown, wrong, expired, or of another
   * network.
   */
  authenticate(token: string): Promise<PosterCaller | null>;
};

/** Creates the authenticator; a process needs one. Tokens are cached as keys are. A database failure is thrown. */
export function createSessionAuthenticator(
  { db, clock, network }: Pick<Deps, 'db' | 'clock' | 'network'>,
  use: Pick<UseTimes, 'record'>,
): SessionAuthenticator {
  const prefix = keyPrefix('session', network.testnet);

  async function read(id: string): Promise<StoredSession | null> {
    const session = await findSession(db, id);
    if (!session) return null;
    const now = clock.now();
    const expiresAt = sessionEnd({ createdAt: session.createdAt, now });
    // Extending before the secret is compared is safe: the id is random too, and only the client knows it.
    if (session.expiresAt > now && shouldExtend(session.expiresAt, expiresAt))
      await extendSession(db, { id, now, expiresAt });
    return session;
  }

  const cache = createKeyCache<PosterCaller>({ clock, prefix }, read);
  return {
    async authenticate(token) {
      const caller = await cache.find(token);
      if (caller?.keyId) use.record(caller.keyId);
      return caller;
    },
    forget: (id) => cache.forget(id),
  };
}
