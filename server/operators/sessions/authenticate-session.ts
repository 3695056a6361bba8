import { hash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { createKeyCache, keyPrefix, sameHash, type StoredKey } from '../../keys/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import type { OperatorSessions } from '../../ports/operators.ts';
import { findOperatorWithKey, type OperatorAuthenticator, sharedCaller } from '../public.ts';
import { findSession, type SessionRow } from './session-queries.ts';

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'network' | 'config'>;

/**
 * Creates the authenticator of session tokens; a process needs one. Tokens are cached as keys are. It writes nothing: a page
 * that refreshes itself must not keep a session alive. A database failure is thrown.
 */
export function createOperatorSessionAuthenticator(
  deps: SessionDeps,
  { keys, operatorKey }: { keys: OperatorAuthenticator; operatorKey: string },
): OperatorSessions & { authenticate(token: string): Promise<OperatorCaller | null> } {
  const { db, clock, network } = deps;
  const prefix = keyPrefix('operatorSession', network.testnet);
  const sharedHashOf = (sessionId: string) => hash('sha256', `${sessionId} ${operatorKey}`, 'hex');

  /** The operator of the key that started the session, and when that key ends. */
  async function holderOf({
    id,
    operatorId,
    sharedKeyHash,
  }: SessionRow): Promise<Omit<StoredKey<OperatorCaller>, 'secretHash'> | null> {
    if (operatorId !== null) return await findOperatorWithKey(db, { operatorId });
    const isSame = sharedKeyHash !== null && sameHash(sharedKeyHash, sharedHashOf(id));
    return isSame ? { caller: await sharedCaller({ ...deps, reads: db }), expiresAt: null } : null;
  }

  async function read(id: string): Promise<StoredKey<OperatorCaller> | null> {
    const session = await findSession(db, id);
    const holder = session && (await holderOf(session));
    if (!holder) return null;
    const { caller, expiresAt } = holder;
    return {
      secretHash: session.secretHash,
      expiresAt: expiresAt !== null && expiresAt < session.expiresAt ? expiresAt : session.expiresAt,
      caller: { ...caller, sessionId: id },
    };
  }

  const cache = createKeyCache<OperatorCaller>({ clock, prefix }, read);
  return {
    authenticate: (token) => cache.find(token),
    forget: (id) => cache.forget(id),
    holderOf: (key) => keys.authenticate(key),
    sharedHashOf,
  };
}
