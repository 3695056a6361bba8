import { hash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { createKeyCache, keyPrefix, sameHash, type StoredKey } from '../../keys/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import type { OperatorSessions } from '../../ports/operators.ts';
import { createOperatorAuthenticator } from '../authenticate.ts';
import { findSession } from './session-queries.ts';

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'network' | 'identityProvider'>;

/**
 * Creates the authenticator of session tokens; a process needs one. Tokens are cached as keys are. It writes nothing: a page
 * that refreshes itself must not keep a session alive. A database failure is thrown.
 */
export function createOperatorSessionAuthenticator(
  { db, clock, network, identityProvider }: SessionDeps,
  operatorKey: string,
): OperatorSessions & { authenticate(token: string): Promise<OperatorCaller | null> } {
  const prefix = keyPrefix('operatorSession', network.testnet);
  const settingsHashOf = (sessionId: string, by: 'key' | 'provider') =>
    hash('sha256', JSON.stringify([sessionId, by, by === 'key' ? operatorKey : identityProvider?.settings]), 'hex');

  async function read(id: string): Promise<StoredKey<OperatorCaller> | null> {
    const session = await findSession(db, id);
    if (!session) return null;
    const { settingsHash, subject, secretHash, expiresAt, name, scope } = session;
    if (!sameHash(settingsHash, settingsHashOf(id, subject === null ? 'key' : 'provider'))) return null;
    return { secretHash, expiresAt, caller: { kind: 'operator', name, scope, sessionId: id } };
  }

  const cache = createKeyCache<OperatorCaller>({ clock, prefix }, read);
  return {
    authenticate: (token) => cache.find(token),
    forget: (id) => cache.forget(id),
    holderOf: createOperatorAuthenticator(operatorKey),
    settingsHashOf,
  };
}
