import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { unavailable } from '../answers/errors.ts';
import { type CounterName, createLimits } from './counters.ts';
import { LimitExceeded, type Limits, type LimitTable } from './limits.ts';

// A slower Redis counts as lost.
const COMMAND_MS = 500;
// A connection whose peer has vanished is closed after this time.
const SOCKET_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_MS = 1_000;
const CHECK_MS = 1_000;
/** Limits on money and accounts. While no process can count them, their operations are refused. */
const CLOSED: ReadonlySet<CounterName> = new Set(['payments', 'failedPayments', 'openPayments', 'registration']);

export type SharedLimitsOptions = { url: string; prefix: string; table: LimitTable; log: Logger };

/**
 * Counts in one Redis for several processes. While Redis is lost, paid operations and registrations get a 503, and each
 * process counts everything else by itself.
 *
 * @throws Error with the reason when Redis does not answer. Only a start is refused; a Redis lost later is waited for.
 */
export async function openSharedLimits({ url, prefix, table, log }: SharedLimitsOptions): Promise<Limits> {
  const redis = await connect(url, prefix);
  const limits = createLimits(table, (name, window) => {
    const shared = {
      storeClient: redis,
      keyPrefix: `${prefix}:limits:${name}`,
      rejectIfRedisNotReady: true,
      ...window,
    };
    return new RateLimiterRedis(
      CLOSED.has(name) ? shared : { ...shared, insuranceLimiter: new RateLimiterMemory(window) },
    );
  });
  const watch = watchStore(redis, prefix, log);
  return {
    take: (...given) => limits.take(...given).catch(refuse),
    // An answer reports the limits that can be read.
    peek: (...given) => limits.peek(...given).catch(() => {}),
    async reserve(...given) {
      const reservation = await limits.reserve(...given).catch(refuse);
      if (reservation === 'busy') return reservation;
      // The answer goes out even when Redis cannot count the outcome. The payment then stays open for two minutes at most.
      return { end: (failed) => reservation.end(failed).catch(() => {}) };
    },
    storeMetrics: () => ({ up: watch.isUp(), losses: watch.losses() }),
    close() {
      watch.stop();
      redis.disconnect();
    },
  };
}

function refuse(error: unknown): never {
  if (error instanceof LimitExceeded) throw error;
  throw unavailable('Requests cannot be counted at the moment. Nothing was done or charged; try again.');
}

async function connect(url: string, prefix: string): Promise<Redis> {
  let last: unknown = null;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: MAX_RECONNECT_MS,
    commandTimeout: COMMAND_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // A command that cannot be sent fails at once instead of waiting in a queue.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    // After a failover this connection leads to a replica; a new one leads to the primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // Commands report the error to their callers. Without a listener the library prints it.
  redis.on('error', (error: Error) => {
    last = error;
  });
  try {
    await redis.connect();
    await write(redis, prefix);
  } catch (error) {
    redis.disconnect();
    // For a failed connection the library reports only "closed", so throw the last error of the socket.
    throw last ?? error;
  }
  return redis;
}

/** Limits need a Redis that accepts writes: a full one, and a replica, count as lost. */
async function write(redis: Redis, prefix: string): Promise<void> {
  await redis.set(`${prefix}:limits:check`, '1', 'PX', CHECK_MS);
}

/** Asks each second whether Redis accepts writes, for the log, the alert, and the metrics. */
function watchStore(redis: Redis, prefix: string, log: Logger) {
  let up = true;
  let losses = 0;
  async function check(): Promise<void> {
    const error: unknown = await write(redis, prefix).then(
      () => null,
      (cause: unknown) => cause,
    );
    if ((error === null) === up) return;
    up = error === null;
    if (up) log.info('Redis counts the limits again');
    else {
      losses += 1;
      const lost = { err: error, alert: 'limit_store_lost' };
      log.error(lost, 'Redis does not answer; this process counts limits by itself');
    }
  }
  const timer = setInterval(() => void check(), CHECK_MS).unref();
  return { isUp: () => up, losses: () => losses, stop: () => clearInterval(timer) };
}
