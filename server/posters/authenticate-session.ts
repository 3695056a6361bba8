import type { Deps } from '../deps.ts';
import { keyPrefix, parseKey, createKeyCache } from '../keys/public.ts';
import { findSession, prolongSession, type StoredSession } from './session-queries.ts';
import { endOf, isWorthProlonging } from './session-times.ts';
import type { KnownKeys } from '../ports/keys.ts';
import type { PosterCaller } from '../ports/callers.ts';

export type SessionAuthenticator = KnownKeys & {
  /** The poster behind a session's token, or null when it is malformed, of another network, unknown, wrong or over. */
  authenticate(token: string): Promise<PosterCaller | null>;
};

/** One per process; a token is remembered as a key is. A failure of the database is thrown on. */
export function createSessionAuthenticator({
  db,
  clock,
  network,
}: Pick<Deps, 'db' | 'clock' | 'network'>): SessionAuthenticator {
  const prefix = keyPrefix('session', network.testnet);

  async function read(id: string): Promise<StoredSession | null> {
    const session = await findSession(db, id);
    if (!session) return null;
    const now = clock.now();
    const expiresAt = endOf({ createdAt: session.createdAt, now });
    // Before the secret is compared: the id is as random, and known to nobody else.
    if (session.expiresAt > now && isWorthProlonging(session.expiresAt, expiresAt))
      await prolongSession(db, { id, now, expiresAt });
    return session;
  }

  const cache = createKeyCache<PosterCaller>(clock, read);
  return {
    async authenticate(token) {
      const key = parseKey(token);
      return key?.prefix === prefix ? await cache.find(key) : null;
    },
    forget: (id) => cache.forget(id),
  };
}
