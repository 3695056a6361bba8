import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../contract/errors.ts';
import { credentialErrorsOf, type OperationSpec } from '../../contract/operation.ts';
import { requireStanding } from '../agents/standing.ts';
import type { AgentCaller, Caller, PosterCaller } from '../context.ts';
import { isLoopback, limitKey } from '../addresses.ts';
import type { Limits } from './limits.ts';

export type Authenticators = {
  /** The agent behind a key's text, or null when it is unknown, malformed, revoked or expired. */
  agent(key: string): Promise<AgentCaller | null>;
  poster(key: string): Promise<PosterCaller | null>;
  operatorKey: string;
};

export type Authenticate = (spec: OperationSpec, authorization: string | null, remoteAddress: string) => Promise<Caller>;

const BEARER = /^Bearer +([\x21-\x7e]{1,300}) *$/i;

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

  return async (spec, authorization, remoteAddress) => {
    if (spec.auth === 'public') return { kind: 'public' };
    const codes = credentialErrorsOf(spec);
    const key = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined) throw new DomainError(codes.missing, 'Authentication required');
    const caller = await identify(spec, key);
    if (!caller) {
      if (!(development && isLoopback(remoteAddress))) {
        await limits.take('failedKeys', limitKey(remoteAddress), spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
      }
      throw new DomainError(codes.invalid, 'Invalid API key');
    }
    if (caller.kind === 'agent') requireStanding(caller, spec.standing ?? 'notSuspended');
    return caller;
  };
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
