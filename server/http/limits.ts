import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError, type ErrorCode } from '../../contract/errors.ts';
import type { LimitName } from '../../contract/operation.ts';
import type { Config } from '../config.ts';

type LimitKey = LimitName | 'failedPayments' | 'failedKeys';
type Limit = { points: number; seconds: number; title: string };

const HOUR = 3600;
const MINUTE = 60;

/** What is left of one limit after this request. */
export type LimitState = { name: string; limit: number; remaining: number; resetSeconds: number; windowSeconds: number };

export type Limits = {
  /** Counts one request; throws the 429 of `code` when the window is used up. */
  take(name: LimitKey, key: string, code: ErrorCode): Promise<LimitState>;
  /** Throws when the window is already used up, without counting. */
  refuseWhenSpent(name: LimitKey, key: string, code: ErrorCode): Promise<void>;
};

export class LimitExceeded extends DomainError {
  readonly state: LimitState;
  constructor(code: ErrorCode, title: string, state: LimitState) {
    super(code, `${title}: at most ${state.limit} per ${windowName(state.windowSeconds)}. The limit resets in ${state.resetSeconds} seconds.`, {
      retryAfterSeconds: state.resetSeconds,
    });
    this.state = state;
  }
}

/** Fixed windows in this process's memory. */
export function createLimits(config: Config['limits']): Limits {
  const table: Record<LimitKey, Limit> = {
    agentOperations: { points: config.agentOperationsPerHour, seconds: HOUR, title: 'Too many agent operations' },
    agentReads: { points: config.agentReadsPerMinute, seconds: MINUTE, title: 'Too many reads' },
    agentAccount: { points: config.agentAccountPerMinute, seconds: MINUTE, title: 'Too many account requests' },
    payments: { points: config.paymentsPerHour, seconds: HOUR, title: 'Too many requests to payment-protected endpoints' },
    failedPayments: { points: config.failedPaymentsPerHour, seconds: HOUR, title: 'Too many failed payments' },
    registration: { points: config.registrationsPerHour, seconds: HOUR, title: 'Too many registrations from this address' },
    poster: { points: config.posterPerMinute, seconds: MINUTE, title: 'Too many requests' },
    failedKeys: { points: config.failedKeysPerMinute, seconds: MINUTE, title: 'Too many attempts with an invalid key' },
  };
  const limiters = Object.fromEntries(
    Object.entries(table).map(([name, { points, seconds }]) => [name, new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })]),
  ) as Record<LimitKey, RateLimiterMemory>;

  const stateOf = (name: LimitKey, result: RateLimiterRes): LimitState => ({
    name,
    limit: table[name].points,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    windowSeconds: table[name].seconds,
  });

  return {
    async take(name, key, code) {
      try {
        return stateOf(name, await limiters[name].consume(key));
      } catch (rejection) {
        if (rejection instanceof RateLimiterRes) throw new LimitExceeded(code, table[name].title, stateOf(name, rejection));
        throw rejection;
      }
    },
    async refuseWhenSpent(name, key, code) {
      const result = await limiters[name].get(key);
      if (result && result.consumedPoints >= table[name].points) throw new LimitExceeded(code, table[name].title, stateOf(name, result));
    },
  };
}

function windowName(seconds: number): string {
  return seconds === HOUR ? 'hour' : 'minute';
}

/** `X-RateLimit-*` with a Unix time, and the fields of the IETF draft beside them; the tightest limit speaks. */
export function limitHeaders(states: LimitState[], now: Date): Record<string, string> {
  const [first, ...rest] = states;
  if (!first) return {};
  const tightest = rest.reduce((least, state) => (state.remaining < least.remaining ? state : least), first);
  return {
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(Math.ceil(now.getTime() / 1000) + tightest.resetSeconds),
    'RateLimit-Policy': states.map((state) => `"${state.name}";q=${state.limit};w=${state.windowSeconds}`).join(', '),
    RateLimit: states.map((state) => `"${state.name}";r=${state.remaining};t=${state.resetSeconds}`).join(', '),
  };
}
