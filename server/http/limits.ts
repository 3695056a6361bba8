import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError, type ErrorCode } from '../../contract/errors.ts';
import type { LimitName } from '../../contract/operation.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../context.ts';

type LimitKey = LimitName | 'failedPayments' | 'failedKeys';
type Limit = { points: number; seconds: number; title: string };

const HOUR = 3600;
const MINUTE = 60;

/** What is left of one limit after this request. */
export type LimitState = {
  name: LimitKey;
  limit: number;
  remaining: number;
  windowSeconds: number;
  resetSeconds: number;
  /** Unix time in seconds. */
  resetAt: number;
};

export type Limits = {
  /** Counts one request; throws the 429 of `code` when the window is used up. */
  take(name: LimitKey, key: string, code: ErrorCode): Promise<LimitState>;
  /** Without counting. */
  peek(name: LimitKey, key: string): Promise<LimitState>;
  /** Throws when the window is already used up, without counting. */
  refuseWhenSpent(name: LimitKey, key: string, code: ErrorCode): Promise<void>;
};

export class LimitExceeded extends DomainError {
  readonly state: LimitState;
  constructor(code: ErrorCode, title: string, state: LimitState) {
    super(
      code,
      `${title}: at most ${state.limit} per ${windowName(state.windowSeconds)}. The limit resets in ${state.resetSeconds} seconds.`,
      {
        retryAfterSeconds: state.resetSeconds,
      },
    );
    this.state = state;
  }
}

/** Fixed windows in this process's memory, each from its first request on. */
export function createLimits(config: Config['limits'], clock: Clock): Limits {
  const table = limitTable(config);
  const limiters = Object.fromEntries(
    Object.entries(table).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
    ]),
  ) as Record<LimitKey, RateLimiterMemory>;

  function stateOf(name: LimitKey, consumed: number, msBeforeNext: number): LimitState {
    const { points, seconds } = table[name];
    return {
      name,
      limit: points,
      remaining: Math.max(0, points - consumed),
      windowSeconds: seconds,
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      resetAt: Math.ceil((clock.now().getTime() + msBeforeNext) / 1000),
    };
  }

  async function peek(name: LimitKey, key: string): Promise<LimitState> {
    const result = await limiters[name].get(key);
    if (!result) return stateOf(name, 0, table[name].seconds * 1000);
    return stateOf(name, result.consumedPoints, result.msBeforeNext);
  }

  return {
    async take(name, key, code) {
      try {
        const { consumedPoints, msBeforeNext } = await limiters[name].consume(key);
        return stateOf(name, consumedPoints, msBeforeNext);
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        const state = stateOf(name, rejection.consumedPoints, rejection.msBeforeNext);
        throw new LimitExceeded(code, table[name].title, state);
      }
    },
    peek,
    async refuseWhenSpent(name, key, code) {
      const state = await peek(name, key);
      if (state.remaining === 0) throw new LimitExceeded(code, table[name].title, state);
    },
  };
}

function limitTable(config: Config['limits']): Record<LimitKey, Limit> {
  const perHour = (points: number, title: string): Limit => ({ points, seconds: HOUR, title });
  const perMinute = (points: number, title: string): Limit => ({ points, seconds: MINUTE, title });
  return {
    agentOperations: perHour(config.agentOperationsPerHour, 'Too many agent operations'),
    agentReads: perMinute(config.agentReadsPerMinute, 'Too many reads'),
    agentAccount: perMinute(config.agentAccountPerMinute, 'Too many account requests'),
    payments: perHour(config.paymentsPerHour, 'Too many requests to payment-protected endpoints'),
    failedPayments: perHour(config.failedPaymentsPerHour, 'Too many failed payments'),
    registration: perHour(config.registrationsPerHour, 'Too many registrations from this address'),
    poster: perMinute(config.posterPerMinute, 'Too many requests'),
    publicReads: perMinute(config.publicReadsPerMinute, 'Too many reads from this address'),
    failedKeys: perMinute(config.failedKeysPerMinute, 'Too many attempts with an invalid key'),
  };
}

function windowName(seconds: number): string {
  return seconds === HOUR ? 'hour' : 'minute';
}

/** `X-RateLimit-*` with a Unix time, and the fields of the IETF draft beside them; the tightest limit speaks. */
export function limitHeaders(states: LimitState[]): Record<string, string> {
  const [first] = states;
  if (!first) return {};
  let tightest = first;
  let policies = '';
  let left = '';
  for (const state of states) {
    if (state.remaining < tightest.remaining) tightest = state;
    const separator = policies === '' ? '' : ', ';
    policies += `${separator}"${state.name}";q=${state.limit};w=${state.windowSeconds}`;
    left += `${separator}"${state.name}";r=${state.remaining};t=${state.resetSeconds}`;
  }
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(tightest.resetAt),
    'RateLimit-Policy': policies,
    RateLimit: left,
  };
}
