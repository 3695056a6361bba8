import { DomainError } from '../../../contract/basics/errors.ts';
import { credentialErrorsOf, type OperationSpec } from '../../../contract/basics/operation.ts';
import { isLoopback, limitKey } from '../../addresses.ts';
import type { Limits, LimitState } from '../limits/limits.ts';
import type { SessionKind } from '../../serve.ts';
import type { Sessions } from './sessions.ts';
import type { AgentCaller, Caller, OperatorCaller, PosterCaller } from '../../callers.ts';
import { hash, timingSafeEqual } from 'node:crypto';

/** Each returns the caller of a text, or null when the text is unknown, malformed, revoked, or expired. */
type Holders = {
  agent(text: string): Promise<AgentCaller | null>;
  poster(text: string): Promise<PosterCaller | null>;
  operator(text: string): Promise<OperatorCaller | null>;
};

/** `keys` finds the holder of an API key, and `sessions` the person whose browser holds the token of a session. */
export type Authenticators = { keys: Holders; sessions: Holders };

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
    if (spec.auth === 'public') {
      const isForeign = spec.session === 'starts' && !sessions.isOwnPage(spec, headers);
      return isForeign ? await refuse(spec, 'foreignPage', remoteAddress, states) : { kind: 'public' };
    }
    const { from, text } = credentialOf(sessions, spec.auth, headers);
    if (text === null) return await refuse(spec, 'none', remoteAddress, states);
    if (from === 'sessions' && !sessions.isOwnPage(spec, headers))
      return await refuse(spec, 'foreignPage', remoteAddress, states);
    let caller: Caller | null;
    try {
      caller = await authenticators[from][spec.auth](text);
    } catch (error) {
      // The database did not answer, so the key is neither right nor wrong: report the limit without counting.
      await limits.peek(FAILED_KEYS, limitKey(remoteAddress), states);
      throw error;
    }
    return caller ?? (await refuse(spec, from === 'keys' ? 'wrongKey' : 'wrongSession', remoteAddress, states));
  };
}

type Credential = { from: keyof Authenticators; text: string | null };

/** Returns the key of a request, or the token of its cookie: a browser session counts only if the request has no key. */
function credentialOf(sessions: Sessions, kind: SessionKind, headers: Pick<Headers, 'get'>): Credential {
  const authorization = headers.get('authorization');
  if (authorization !== null) return { from: 'keys', text: BEARER.exec(authorization)?.[1] ?? null };
  const token = sessions.tokenOf(kind, headers);
  return { from: token === null ? 'keys' : 'sessions', text: token };
}

/** Accepts one key, the one of the metrics. */
export function metricsAuthenticator(metricsKey: string): Holders['operator'] {
  const expected = hash('sha256', metricsKey, 'buffer');
  return async (key) =>
    timingSafeEqual(hash('sha256', key, 'buffer'), expected) ? { kind: 'operator', name: null, scope: 'read' } : null;
}
