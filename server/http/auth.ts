import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../contract/errors.ts';
import { credentialErrorsOf, type OperationSpec } from '../../contract/operation.ts';
import type { AgentCaller, Caller, PosterCaller } from '../context.ts';
import { isLoopback, limitKey } from '../addresses.ts';
import type { Limits, LimitState } from './limits.ts';

export type Authenticators = {
  /** The agent behind a key's text, or null when it is unknown, malformed, revoked or expired. */
  agent(key: string): Promise<AgentCaller | null>;
  poster(key: string): Promise<PosterCaller | null>;
  operatorKey: string;
};

/** Adds to `states` what a refusal leaves of the limit on wrong keys. */
export type Authenticate = (
  spec: OperationSpec,
  authorization: string | null,
  remoteAddress: string,
  states: LimitState[],
) => Promise<Caller>;

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Who calls, by the kind of key that the operation takes. A wrong key is counted against the address it came from,
 * so that guessing ends in 429; a right one is never held up by that.
 */
export function createAuthenticate(authenticators: Authenticators, limits: Limits, development: boolean): Authenticate {
  const operatorHash = sha256(authenticators.operatorKey);

  async function identify(spec: OperationSpec, key: string): Promise<Caller | null> {
    if (spec.auth === 'agent') return await authenticators.agent(key);
    if (spec.auth === 'poster') return await authenticators.poster(key);
    return timingSafeEqual(sha256(key), operatorHash) ? { kind: 'operator' } : null;
  }

  async function countWrongKey(spec: OperationSpec, remoteAddress: string): Promise<LimitState> {
    const address = limitKey(remoteAddress);
    if (development && isLoopback(remoteAddress)) return await limits.peek('failedKeys', address);
    return await limits.take('failedKeys', address, spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
  }

  return async (spec, authorization, remoteAddress, states) => {
    if (spec.auth === 'public') return { kind: 'public' };
    const codes = credentialErrorsOf(spec);
    const key = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined) {
      states.push(await limits.peek('failedKeys', limitKey(remoteAddress)));
      throw new DomainError(codes.missing, 'Authentication required');
    }
    const caller = await identify(spec, key);
    if (caller) return caller;
    states.push(await countWrongKey(spec, remoteAddress));
    throw new DomainError(codes.invalid, 'Invalid API key');
  };
}

function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
