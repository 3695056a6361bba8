import { DomainError, type ErrorCode } from '../../../contract/errors.ts';
import type { LimitName } from '../../../contract/operation.ts';
import type { Config } from '../../config.ts';

export type LimitKey = LimitName | 'failedPayments' | 'failedKeys';
export type LimitTable = Record<LimitKey, { points: number; seconds: number; title: string }>;
type Limit = LimitTable[LimitKey];

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

/** A place among the failed payments that an agent may have, kept while the outcome of one is open. */
export type Place = {
  /** Gives it back, or lets it become the failed payment that it was kept for. The second time nothing happens. */
  end(failed: boolean): void | Promise<void>;
};

/**
 * Fixed windows, each from its first request on. What is counted belongs to one caller, `key`; `told` is given what is left
 * of each limit. Waits only where several processes count together.
 */
export type Limits = {
  /** Counts one request against each; throws the 429 of `code` at the first whose window is used up. */
  take(names: readonly LimitKey[], key: string, code: ErrorCode, told: LimitState[]): void | Promise<void>;
  /** Without counting. */
  look(names: readonly LimitKey[], key: string, told: LimitState[]): void | Promise<void>;
  /**
   * For what is paid for: as `take`, and throws too while failed payments are used up. With a payment that may fail
   * (`presented`) keeps a place for it; `busy` when every place that is left is kept by another one.
   */
  takePaid(
    names: readonly LimitKey[],
    key: string,
    code: ErrorCode,
    told: LimitState[],
    presented: boolean,
  ): TakenPlace | Promise<TakenPlace>;
  /** Of the store that several processes share; absent where there is none. */
  figures?: () => StoreFigures;
  close(): void;
};

export type TakenPlace = Place | 'busy' | null;

export type StoreFigures = { up: boolean; losses: number };

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

/** Throws when what was counted is more than the limit. */
export function requireLeft(table: LimitTable, code: ErrorCode, taken: number, state: LimitState): void {
  if (taken > state.limit) throw new LimitExceeded(code, table[state.name].title, state);
}

/** `leftMs` until the window ends, at `endsAt` by the clock of whoever counts. */
export function stateOf(table: LimitTable, name: LimitKey, taken: number, leftMs: number, endsAt: number): LimitState {
  const { points, seconds } = table[name];
  return {
    name,
    limit: points,
    remaining: Math.max(0, points - taken),
    windowSeconds: seconds,
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    resetAt: Math.ceil(endsAt / 1000),
  };
}

export function limitTable(config: Config['limits']): LimitTable {
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
    signIns: perHour(config.signInsPerHour, 'Too many sign-ins from this address'),
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
