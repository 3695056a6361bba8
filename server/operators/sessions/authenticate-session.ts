import { hash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { createKeyCache, keyPrefix, sameHash, type StoredKey } from '../../keys/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import type { OperatorSessions } from '../../ports/operators.ts';
import { createOperatorAuthenticator, SHARED_CALLER } from '../public.ts';
import { findSession } from './session-queries.ts';

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'network'>;

/**
 * Creates the authenticator of session tokens; a process needs one. Tokens are cached as keys are. It writes nothing: a page
 * that refreshes itself must not keep a session alive. A database failure is thrown.
 */
export function createOperatorSessionAuthenticator(
  { db, clock, network }: SessionDeps,
  operatorKey: string,
): OperatorSessions & { authenticate(token: string): Promise<OperatorCaller | null> } {
  const prefix = keyPrefix('operatorSession', network.testnet);
  const sharedHashOf = (sessionId: string) => hash('sha256', `${sessionId} ${operatorKey}`, 'hex');

  async function read(id: string): Promise<StoredKey<OperatorCaller> | null> {
    const session = await findSession(db, id);
    if (!session || !sameHash(session.sharedKeyHash, sharedHashOf(id))) return null;
    const { secretHash, expiresAt } = session;
    return { secretHash, expiresAt, caller: { ...SHARED_CALLER, sessionId: id } };
  }

  const cache = createKeyCache<OperatorCaller>({ clock, prefix }, read);
  return {
    authenticate: (token) => cache.find(token),
    forget: (id) => cache.forget(id),
    holderOf: createOperatorAuthenticator(operatorKey),
    sharedHashOf,
  };
}
