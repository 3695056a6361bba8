import type { Logger } from 'pino';
import { unavailable } from '../answers/public.ts';
import { LimitExceeded, type LimitKey, type Limits, type LimitState, type LimitTable } from './limits.ts';
import { createMemoryLimits } from './memory.ts';
import { createRedisStore, type RedisStore, type RedisStoreOptions } from './redis.ts';
import type { Clock } from '../../ports/clock.ts';

// How often a lost store is asked whether it is back.
const ASK_AGAIN_MS = 250;
/** Money and accounts: while nobody can say how many there were, there are none. */
const CLOSED: ReadonlySet<LimitKey> = new Set(['payments', 'failedPayments', 'registration']);

type Parts = { table: LimitTable; clock: Clock; log: Logger };

/** @throws why there is no Redis at the URL: a start is refused, while one that is lost later is waited for */
export async function openSharedLimits(options: Parts & RedisStoreOptions): Promise<Limits> {
  const store = createRedisStore(options);
  await store.open();
  return createSharedLimits(store, options);
}

/**
 * The limits of several processes in one store. While that is lost, what is paid for and registrations are refused (503),
 * and everything else is held to the same limits by each process alone. The requests that wait for a store when it hangs
 * wait once; those after them do not ask it until it was seen to write again.
 */
function createSharedLimits(store: RedisStore, { table, clock, log }: Parts): Limits {
  const own = createMemoryLimits(table, clock);
  const watch = createWatch(store, log);

  /** @throws what `ask` was refused with; answers `otherwise` where the store said nothing */
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

  /** Tells what this process knows of the limits. */
  function refuse(names: readonly LimitKey[], key: string, told: LimitState[]): never {
    own.look(names, key, told);
    throw unavailable('Requests can not be counted at the moment. Nothing was done or charged; try again.');
  }

  return {
    take: (names, key, code, told) =>
      shared(
        () => store.take(names, key, code, told),
        () => (names.some((name) => CLOSED.has(name)) ? refuse(names, key, told) : own.take(names, key, code, told)),
      ),
    look: (names, key, told) =>
      shared(
        () => store.look(names, key, told),
        () => own.look(names, key, told),
      ),
    async takePaid(names, key, code, told, presented) {
      const place = await shared(
        () => store.takePaid(names, key, code, told, presented),
        () => refuse(names, key, told),
      );
      if (place === null || place === 'busy') return place;
      // A payment that fails just now is not counted: nobody can pay meanwhile, and its place stays taken for two minutes.
      return {
        end: (failed) =>
          shared(
            async () => await place.end(failed),
            () => {},
          ),
      };
    },
    figures: () => ({ up: !watch.isLost(), losses: watch.losses() }),
    close() {
      watch.stop();
      store.close();
    },
  };
}

/** Whether the store is lost, which it is until it answers again. */
function createWatch(store: RedisStore, log: Logger) {
  let losses = 0;
  let asking: NodeJS.Timeout | null = null;
  let stopped = false;

  function askLater(): void {
    asking = setTimeout(() => {
      store.check().then(found, () => {
        if (!stopped) askLater();
      });
    }, ASK_AGAIN_MS).unref();
  }

  function found(): void {
    asking = null;
    log.info('the store of the limits answers again');
  }

  return {
    isLost: () => asking !== null,
    losses: () => losses,
    lose(cause: unknown): void {
      if (asking || stopped) return;
      losses += 1;
      log.error({ err: cause, alert: 'limit_store_lost' }, 'the store of the limits does not answer');
      askLater();
    },
    stop(): void {
      stopped = true;
      if (asking) clearTimeout(asking);
    },
  };
}
