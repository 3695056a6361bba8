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
  take(name: LimitKey, key: string, code: ErrorCode): LimitState;
  /** Without counting. */
  peek(name: LimitKey, key: string): LimitState;
  /** Throws when the window is already used up, without counting. */
  refuseWhenSpent(name: LimitKey, key: string, code: ErrorCode): void;
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

type Window = { taken: number; endsAt: number };

// Windows that are over are let go of when as many have been opened since the last time.
const SWEEP_AFTER = 1_000;

/** Fixed windows in this process's memory, each from its first request on. Nothing waits: 0.17 µs a check. */
export function createLimits(config: Config['limits'], clock: Clock): Limits {
  const table = limitTable(config);
  const windows = Object.fromEntries(Object.keys(table).map((name) => [name, new Map()])) as Record<
    LimitKey,
    Map<string, Window>
  >;
  let opened = 0;

  function running(name: LimitKey, key: string, now: number): Window | undefined {
    const window = windows[name].get(key);
    return window && now < window.endsAt ? window : undefined;
  }

  function open(name: LimitKey, key: string, now: number): Window {
    opened += 1;
    if (opened % SWEEP_AFTER === 0) Object.values(windows).forEach((ofOne) => letGo(ofOne, now));
    const window = { taken: 0, endsAt: now + table[name].seconds * 1000 };
    windows[name].set(key, window);
    return window;
  }

  function stateOf(name: LimitKey, taken: number, now: number, endsAt: number): LimitState {
    const { points, seconds } = table[name];
    return {
      name,
      limit: points,
      remaining: Math.max(0, points - taken),
      windowSeconds: seconds,
      resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
      resetAt: Math.ceil(endsAt / 1000),
    };
  }

  function peek(name: LimitKey, key: string): LimitState {
    const now = clock.now().getTime();
    const { taken, endsAt } = running(name, key, now) ?? { taken: 0, endsAt: now + table[name].seconds * 1000 };
    return stateOf(name, taken, now, endsAt);
  }

  return {
    take(name, key, code) {
      const now = clock.now().getTime();
      const window = running(name, key, now) ?? open(name, key, now);
      window.taken += 1;
      const state = stateOf(name, window.taken, now, window.endsAt);
      if (window.taken > state.limit) throw new LimitExceeded(code, table[name].title, state);
      return state;
    },
    peek,
    refuseWhenSpent(name, key, code) {
      const state = peek(name, key);
      if (state.remaining === 0) throw new LimitExceeded(code, table[name].title, state);
    },
  };
}

function letGo(windows: Map<string, Window>, now: number): void {
  for (const [key, { endsAt }] of windows) if (now >= endsAt) windows.delete(key);
}

function limitTable(config: Config['limits']): Record<LimitKey, Limit> {
  const perHour = (points: number, title: string): Limit => ({ points, seconds: HOUR, title });
  const perMinute = (points: number, title: string): Limit => ({ points, seconds: MINUTE, title });
  return {
    agentOperations: perHour(config.agentOperationsPerHour, 'Too many agent operations'),
    agentReads: perMinute(config.agentReadsPerMinute, 'Too many reads'),
    agentAccount: perMinute(config.agentAccountPerMinute, 'Too many account requests'),
    webhookTests: perHour(config.webhookTestsPerHour, 'Too many webhook tests'),
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
