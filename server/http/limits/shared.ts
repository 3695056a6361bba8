import type { Logger } from 'pino';
import { unavailable } from '../answers/public.ts';
import { LimitExceeded, type LimitKey, type Limits, type LimitState, type LimitTable } from './limits.ts';
import { createMemoryLimits } from './memory.ts';
import { createRedisStore, type RedisStore, type RedisStoreOptions } from './redis.ts';
import type { Clock } from '../../ports/clock.ts';

// Interval at which a process checks whether a lost Redis answers again.
const CHECK_AGAIN_MS = 250;
/** Limits on money and accounts. While no process can count them, their operations are refused. */
const CLOSED: ReadonlySet<LimitKey> = new Set(['payments', 'failedPayments', 'registration']);

type Parts = { table: LimitTable; clock: Clock; log: Logger };

/**
 * @throws Error with the reason when Redis does not answer. Only a start is refused; a Redis lost later is waited for.
 */
export async function openSharedLimits(options: Parts & RedisStoreOptions): Promise<Limits> {
  const store = createRedisStore(options);
  await store.open();
  return createSharedLimits(store, options);
}

/**
 * Counts in one Redis for several processes. While Redis is lost, paid operations and registrations get a 503, and each
 * process counts everything else by itself. Only the requests that are waiting when Redis hangs wait for it; later ones
 * do not ask until a write has succeeded again.
 */
function createSharedLimits(store: RedisStore, { table, clock, log }: Parts): Limits {
  const own = createMemoryLimits(table, clock);
  const watch = createWatch(store, log);

  /** Returns what `ask` returns, or `otherwise()` while Redis is lost. @throws LimitExceeded from `ask` */
  async function shared<T>(ask: () => Promise<T>, otherwise: () => T): Promise<T> {
    if (watch.isLost()) return otherwise();
    try {
      return await ask();
    } catch (error) {
      if (error instanceof LimitExceeded) throw error;
      watch.lose(error);
      return otherwise();
    }
  }

  /** Reports the limits that this process counted by itself, then refuses the request. */
  function refuse(names: readonly LimitKey[], key: string, states: LimitState[]): never {
    own.peek(names, key, states);
    throw unavailable('Requests cannot be counted at the moment. Nothing was done or charged; try again.');
  }

  return {
    take: (names, key, code, states) =>
      shared(
        () => store.take(names, key, code, states),
        () =>
          names.some((name) => CLOSED.has(name)) ? refuse(names, key, states) : own.take(names, key, code, states),
      ),
    peek: (names, key, states) =>
      shared(
        () => store.peek(names, key, states),
        () => own.peek(names, key, states),
      ),
    async takePaid(names, key, code, states, presented) {
      const reservation = await shared(
        () => store.takePaid(names, key, code, states, presented),
        () => refuse(names, key, states),
      );
      if (reservation === null || reservation === 'busy') return reservation;
      // A payment that fails while Redis is lost is not counted: no agent can pay then, and the reservation in Redis
      // stays for two minutes.
      return {
        end: (failed) =>
          shared(
            async () => await reservation.end(failed),
            () => {},
          ),
      };
    },
    storeMetrics: () => ({ up: !watch.isLost(), losses: watch.losses() }),
    close() {
      watch.stop();
      store.close();
    },
  };
}

/** Remembers that Redis is lost, and asks until it answers again. */
function createWatch(store: RedisStore, log: Logger) {
  let losses = 0;
  let nextCheck: NodeJS.Timeout | null = null;
  let stopped = false;

  function checkLater(): void {
    nextCheck = setTimeout(() => {
      store.check().then(found, () => {
        if (!stopped) checkLater();
      });
    }, CHECK_AGAIN_MS).unref();
  }

  function found(): void {
    nextCheck = null;
    log.info('Redis counts the limits again');
  }

  return {
    isLost: () => nextCheck !== null,
    losses: () => losses,
    lose(cause: unknown): void {
      if (nextCheck || stopped) return;
      losses += 1;
      log.error(
        { err: cause, alert: 'limit_store_lost' },
        'Redis does not answer; this process counts limits by itself',
      );
      checkLater();
    },
    stop(): void {
      stopped = true;
      if (nextCheck) clearTimeout(nextCheck);
    },
  };
}
