import { DomainError } from '../../../contract/basics/errors.ts';
import { credentialErrorsOf, type OperationSpec } from '../../../contract/basics/operation.ts';
import { isLoopback, limitKey } from '../../addresses.ts';
import type { Limits, LimitState } from '../limits/limits.ts';
import type { Sessions } from './sessions.ts';
import type { AgentCaller, Caller, OperatorCaller, PosterCaller } from '../../callers.ts';
import { hash, timingSafeEqual } from 'node:crypto';

export type Authenticators = {
  /** Returns the agent of a key, or null when the key is unknown, malformed, revoked, or expired. */
  agent(key: string): Promise<AgentCaller | null>;
  poster(key: string): Promise<PosterCaller | null>;
  /** Returns the poster whose browser holds this session token. */
  session(token: string): Promise<PosterCaller | null>;
  /** Returns the agent whose owner's browser holds this session token. */
  agentSession(token: string): Promise<AgentCaller | null>;
  operator(key: string): Promise<OperatorCaller | null>;
  /** Returns the operator whose browser holds this session token. */
  operatorSession(token: string): Promise<OperatorCaller | null>;
};

/** Returns the caller. @throws DomainError for a refusal, after it has added the limit of wrong keys to `states` */
export type Authenticate = (
  spec: OperationSpec,
  headers: Pick<Headers, 'get'>,
  remoteAddress: string,
  states: LimitState[],
) => Promise<Caller>;

const FAILED_KEYS = ['failedKeys'] as const;
const BEARER = /^Bearer +(\S+) *$/i;

const MESSAGES = {
  none: 'Authentication required',
  wrongKey: 'Invalid API key',
  wrongSession: 'The session is over. Sign in again.',
  foreignPage: 'Only the pages of this service may send this request.',
};
type Why = keyof typeof MESSAGES;

/**
 * Identifies the caller by the kind of key that the operation takes. A poster, an agent's owner, or an operator without
 * a key is identified by the session of the browser. A wrong key counts against its address, so that guessing ends in
 * 429; a right key always passes.
 */
export function createAuthenticate(
  authenticators: Authenticators,
  { limits, sessions, development }: { limits: Limits; sessions: Sessions; development: boolean },
): Authenticate {
  async function identify(spec: OperationSpec, key: string): Promise<Caller | null> {
    if (spec.auth === 'agent') return await authenticators.agent(key);
    if (spec.auth === 'poster') return await authenticators.poster(key);
    return await authenticators.operator(key);
  }

  async function bySession({ auth }: OperationSpec, token: string): Promise<Caller | null> {
    if (auth === 'operator') return await authenticators.operatorSession(token);
    return await (auth === 'agent' ? authenticators.agentSession(token) : authenticators.session(token));
  }

  /** Counts a guess, and reports the limit of wrong keys. */
  async function refuse(spec: OperationSpec, why: Why, remoteAddress: string, states: LimitState[]): Promise<never> {
    const address = limitKey(remoteAddress);
    const isGuess = why === 'wrongKey' || why === 'wrongSession';
    if (!isGuess || (development && isLoopback(remoteAddress))) await limits.peek(FAILED_KEYS, address, states);
    else await limits.take(FAILED_KEYS, address, spec.limitError ?? 'RATE_LIMIT_EXCEEDED', states);
    const { invalid, missing } = credentialErrorsOf(spec);
    const codes = { none: missing, wrongKey: invalid, wrongSession: missing, foreignPage: 'ORIGIN_FORBIDDEN' } as const;
    throw new DomainError(codes[why], MESSAGES[why]);
  }

  return async (spec, headers, remoteAddress, states) => {
    const refused = (why: Why) => refuse(spec, why, remoteAddress, states);
    const lookUp = async (work: Promise<Caller | null>): Promise<Caller | null> => {
      try {
        return await work;
      } catch (error) {
        // The database did not answer, so the key is neither right nor wrong: report the limit without counting.
        await limits.peek(FAILED_KEYS, limitKey(remoteAddress), states);
        throw error;
      }
    };
    if (spec.auth === 'public') {
      const isForeign = spec.session === 'starts' && !sessions.isOwnPage(spec, headers);
      return isForeign ? await refused('foreignPage') : { kind: 'public' };
    }
    const authorization = headers.get('authorization');
    const token = sessionTokenOf(sessions, spec, headers);
    const key = BEARER.exec(authorization ?? '')?.[1];
    if (token !== null) {
      if (!sessions.isOwnPage(spec, headers)) return await refused('foreignPage');
      return (await lookUp(bySession(spec, token))) ?? (await refused('wrongSession'));
    }
    if (key === undefined) return await refused('none');
    return (await lookUp(identify(spec, key))) ?? (await refused('wrongKey'));
  };
}

/** A browser session counts only if the request carries no key. */
function sessionTokenOf(sessions: Sessions, spec: OperationSpec, headers: Pick<Headers, 'get'>): string | null {
  if (headers.get('authorization') !== null) return null;
  return spec.auth === 'public' ? null : sessions.tokenOf(spec.auth, headers);
}

/** Accepts one key, the one of the metrics. */
export function metricsAuthenticator(metricsKey: string): Authenticators['operator'] {
  const expected = hash('sha256', metricsKey, 'buffer');
  return async (key) =>
    timingSafeEqual(hash('sha256', key, 'buffer'), expected) ? { kind: 'operator', name: null, scope: 'read' } : null;
}
