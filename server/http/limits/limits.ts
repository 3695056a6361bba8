import { DomainError, type ErrorCode } from '../../../contract/basics/errors.ts';
import type { LimitName } from '../../../contract/basics/operation.ts';
import type { Config } from '../../config.ts';

export type LimitKey = LimitName | 'failedPayments' | 'failedKeys';
export type LimitTable = Record<LimitKey, { points: number; seconds: number; title: string }>;
type Limit = LimitTable[LimitKey];

const HOUR = 3600;
const MINUTE = 60;

/** One limit of a caller after a request was counted. The daily quota is counted in the database. */
export type LimitState = {
  name: LimitKey | 'dailyProjects';
  limit: number;
  remaining: number;
  windowSeconds: number;
  resetSeconds: number;
  /** Unix time in seconds. */
  resetAt: number;
  /** The limit does not apply to this operation, so it is never the tightest one. */
  shownOnly?: true;
};

/** Holds one of an agent's remaining failed payments while the outcome of a payment is open. */
export type Reservation = {
  /** Frees the reservation, and counts a payment that failed. A second call does nothing. */
  end(failed: boolean): Promise<void>;
};

/**
 * Rate limits in fixed windows; a window starts with its first request. `key` names the caller. Every method appends the
 * state of each limit to `states`.
 */
export type Limits = {
  /** Counts one request against each limit. @throws LimitExceeded with `code` for the first limit that is used up */
  take(names: readonly LimitKey[], key: string, code: ErrorCode, states: LimitState[]): Promise<void>;
  /** Reads each limit without counting. */
  peek(names: readonly LimitKey[], key: string, states: LimitState[]): Promise<void>;
  /**
   * Reserves one of the caller's failed payments for a payment that is about to settle. `busy`: other payments hold all
   * that are left.
   *
   * @throws LimitExceeded with `code` when so many payments have failed
   */
  reserve(key: string, code: ErrorCode, states: LimitState[]): Promise<Reservation | 'busy'>;
  /** Metrics of the store that several processes share; absent when there is none. */
  storeMetrics?: () => StoreMetrics;
  close(): void;
};

export type StoreMetrics = { up: boolean; losses: number };

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
    posterNotes: perMinute(config.posterNotesPerMinute, 'Too many notes'),
    publicReads: perMinute(config.publicReadsPerMinute, 'Too many reads from this address'),
    signIns: perHour(config.signInsPerHour, 'Too many sign-ins from this address'),
    failedKeys: perMinute(config.failedKeysPerMinute, 'Too many attempts with an invalid key'),
  };
}

function windowName(seconds: number): string {
  return seconds === HOUR ? 'hour' : 'minute';
}

/**
 * Returns `X-RateLimit-*` for the limit with the fewest requests left and, of equal ones, the latest reset; and the fields
 * of the IETF draft for every limit. `X-RateLimit-Reset` is a Unix time.
 */
export function limitHeaders(states: LimitState[]): Record<string, string> {
  const [first] = states;
  if (!first) return {};
  let tightest = first;
  let policies = '';
  let left = '';
  for (const state of states) {
    if (isTighter(state, tightest)) tightest = state;
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

function isTighter(state: LimitState, than: LimitState): boolean {
  if (state.shownOnly) return false;
  if (state.remaining !== than.remaining) return state.remaining < than.remaining;
  return state.resetAt > than.resetAt;
}
