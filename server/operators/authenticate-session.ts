import { hash, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { createSessionCache, findOperatorPart, sameHash } from '../keys/public.ts';
import type { OperatorCaller } from '../callers.ts';
import type { KnownKeys } from '../keys/types.ts';
import type { OperatorSessions } from './types.ts';
import { confirmRight } from './confirm-right.ts';
import { subjectOf } from './holder.ts';

/** The caller of OPERATOR_KEY, which belongs to no person. */
const SHARED_CALLER: OperatorCaller = { kind: 'operator', name: null, scope: 'act' };

/** Returns a function that finds the operator of a key; null for a wrong one. */
export function createOperatorAuthenticator(operatorKey: string): (text: string) => OperatorCaller | null {
  const expected = sha256(operatorKey);
  return (text) => (timingSafeEqual(sha256(text), expected) ? SHARED_CALLER : null);
}

function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

type SessionDeps = Pick<Deps, 'db' | 'clock' | 'network' | 'newId' | 'identityProvider' | 'answerSeals'>;

/**
 * Creates the authenticator of session tokens; a process needs one. A database failure is thrown, and so is the end of a right
 * that the provider has taken away.
 */
export function createOperatorSessionAuthenticator(
  deps: SessionDeps,
  operatorKey: string,
): OperatorSessions & KnownKeys & { authenticate(token: string): Promise<OperatorCaller | null> } {
  const settingsHashOf = (sessionId: string, by: 'key' | 'provider') =>
    hash(
      'sha256',
      JSON.stringify([sessionId, by, by === 'key' ? operatorKey : deps.identityProvider?.settings]),
      'hex',
    );
  const cache = createSessionCache<OperatorCaller>(deps, { kind: 'operator' }, async ({ id, accountId }) => {
    const part = await findOperatorPart(deps.db, id);
    const subject = subjectOf(accountId);
    const by = subject === null ? 'key' : 'provider';
    if (!part || !sameHash(part.settingsHash, settingsHashOf(id, by))) return null;
    if (subject === null) return { kind: 'operator', name: part.name, scope: part.scope };
    const knownKeys: KnownKeys = { forget: (ended) => cache.forget(ended) };
    const { name, scope } = await confirmRight({ ...deps, knownKeys }, part, { id, subject });
    return { kind: 'operator', person: subject, name, scope };
  });
  return {
    authenticate: cache.find,
    forget: cache.forget,
    holderOf: createOperatorAuthenticator(operatorKey),
    settingsHashOf,
  };
}
