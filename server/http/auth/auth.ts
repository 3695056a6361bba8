import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../contract/errors.ts';
import { credentialErrorsOf, type OperationSpec } from '../../../contract/operation.ts';
import { isLoopback, limitKey } from '../../addresses.ts';
import type { Limits, LimitState } from '../limits/public.ts';
import type { Sessions } from './sessions.ts';
import type { AgentCaller, Caller, PosterCaller } from '../../ports/callers.ts';

export type Authenticators = {
  /** The agent behind a key's text, or null when it is unknown, malformed, revoked or expired; at once while it is remembered. */
  agent(key: string): AgentCaller | Promise<AgentCaller | null>;
  poster(key: string): Promise<PosterCaller | null>;
  /** The poster whose browser holds this token. */
  session(token: string): Promise<PosterCaller | null>;
  operatorKey: string;
};

/** Adds to `states` what a refusal leaves of the limit on wrong keys. Waits only for a key that has to be looked up. */
export type Authenticate = (
  spec: OperationSpec,
  headers: Pick<Headers, 'get'>,
  remoteAddress: string,
  states: LimitState[],
) => Caller | Promise<Caller>;

const FAILED_KEYS = ['failedKeys'] as const;
const BEARER = /^Bearer +(\S+) *$/i;

/** Why nobody is let in. */
const MESSAGES = {
  none: 'Authentication required',
  wrongKey: 'Invalid API key',
  wrongSession: 'The session is over. Sign in again.',
  foreignPage: 'This is allowed to the pages of this service alone.',
};
type Why = keyof typeof MESSAGES;

/**
 * Who calls, by the kind of key that the operation takes, or as a poster by the session of a browser, which is looked at
 * where no key comes with it. A wrong one is counted against the address it came from, so that guessing ends in 429; a
 * right one is never held up by that.
 */
export function createAuthenticate(
  authenticators: Authenticators,
  { limits, sessions, development }: { limits: Limits; sessions: Sessions; development: boolean },
): Authenticate {
  const operatorHash = sha256(authenticators.operatorKey);

  function identify(spec: OperationSpec, key: string): Caller | null | Promise<Caller | null> {
    if (spec.auth === 'agent') return authenticators.agent(key);
    if (spec.auth === 'poster') return authenticators.poster(key);
    return timingSafeEqual(sha256(key), operatorHash) ? { kind: 'operator' } : null;
  }

  /** Tells what is left of the limit on wrong keys. */
  async function refuse(spec: OperationSpec, why: Why, remoteAddress: string, told: LimitState[]): Promise<never> {
    const address = limitKey(remoteAddress);
    const isGuess = why === 'wrongKey' || why === 'wrongSession';
    if (!isGuess || (development && isLoopback(remoteAddress))) await limits.look(FAILED_KEYS, address, told);
    else await limits.take(FAILED_KEYS, address, spec.limitError ?? 'RATE_LIMIT_EXCEEDED', told);
    const { invalid, missing } = credentialErrorsOf(spec);
    const codes = { none: missing, wrongKey: invalid, wrongSession: missing, foreignPage: 'ORIGIN_FORBIDDEN' } as const;
    throw new DomainError(codes[why], MESSAGES[why]);
  }

  return (spec, headers, remoteAddress, states) => {
    // Nobody could say whose key it is.
    const failed = async (error: unknown): Promise<never> => {
      await limits.look(FAILED_KEYS, limitKey(remoteAddress), states);
      throw error;
    };
    const refused = (why: Why) => refuse(spec, why, remoteAddress, states);
    if (spec.auth === 'public') {
      const isForeign = spec.session === 'starts' && !sessions.isOwnPage(spec, headers);
      return isForeign ? refused('foreignPage') : { kind: 'public' };
    }
    const authorization = headers.get('authorization');
    const token = spec.auth === 'poster' && authorization === null ? sessions.tokenOf(headers) : null;
    if (token !== null) {
      if (!sessions.isOwnPage(spec, headers)) return refused('foreignPage');
      return authenticators.session(token).then((caller) => caller ?? refused('wrongSession'), failed);
    }
    const key = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined) return refused('none');
    const judged = (caller: Caller | null) => caller ?? refused('wrongKey');
    const caller = identify(spec, key);
    return caller instanceof Promise ? caller.then(judged, failed) : judged(caller);
  };
}

function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
