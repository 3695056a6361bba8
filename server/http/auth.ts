import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../contract/errors.ts';
import { credentialErrorsOf, type OperationSpec } from '../../contract/operation.ts';
import type { AgentCaller, Caller, PosterCaller } from '../context.ts';
import { isLoopback, limitKey } from '../addresses.ts';
import type { Limits, LimitState } from './limits.ts';

export type Authenticators = {
  /** The agent behind a key's text, or null when it is unknown, malformed, revoked or expired; at once while it is remembered. */
  agent(key: string): AgentCaller | Promise<AgentCaller | null>;
  poster(key: string): Promise<PosterCaller | null>;
  operatorKey: string;
};

/** Adds to `states` what a refusal leaves of the limit on wrong keys. Waits only for a key that has to be looked up. */
export type Authenticate = (
  spec: OperationSpec,
  authorization: string | null,
  remoteAddress: string,
  states: LimitState[],
) => Caller | Promise<Caller>;

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Who calls, by the kind of key that the operation takes. A wrong key is counted against the address it came from,
 * so that guessing ends in 429; a right one is never held up by that.
 */
export function createAuthenticate(authenticators: Authenticators, limits: Limits, development: boolean): Authenticate {
  const operatorHash = sha256(authenticators.operatorKey);

  function identify(spec: OperationSpec, key: string): Caller | null | Promise<Caller | null> {
    if (spec.auth === 'agent') return authenticators.agent(key);
    if (spec.auth === 'poster') return authenticators.poster(key);
    return timingSafeEqual(sha256(key), operatorHash) ? { kind: 'operator' } : null;
  }

  function countWrongKey(spec: OperationSpec, remoteAddress: string): LimitState {
    const address = limitKey(remoteAddress);
    if (development && isLoopback(remoteAddress)) return limits.peek('failedKeys', address);
    return limits.take('failedKeys', address, spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
  }

  return (spec, authorization, remoteAddress, states) => {
    if (spec.auth === 'public') return { kind: 'public' };
    const key = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined) {
      states.push(limits.peek('failedKeys', limitKey(remoteAddress)));
      throw new DomainError(credentialErrorsOf(spec).missing, 'Authentication required');
    }
    const judged = (caller: Caller | null): Caller => {
      if (caller) return caller;
      states.push(countWrongKey(spec, remoteAddress));
      throw new DomainError(credentialErrorsOf(spec).invalid, 'Invalid API key');
    };
    const caller = identify(spec, key);
    return caller instanceof Promise ? caller.then(judged) : judged(caller);
  };
}

function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
