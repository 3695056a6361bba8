import { Redis } from 'ioredis';
import type { ErrorCode } from '../../../contract/errors.ts';
import {
  LimitExceeded,
  type LimitKey,
  type LimitState,
  type LimitTable,
  type Place,
  requireLeft,
  stateOf,
  type TakenPlace,
} from './limits.ts';

// A place of a process that died is free again after this long: longer than a paid request lasts.
const PLACE_MS = 120_000;
/** Slower than that is lost: a request waits for it once, the next ones do not ask. */
const COMMAND_MS = 250;
// Of a connection whose other end is gone without a word.
const SILENCE_MS = 2_000;
const MAX_RECONNECT_MS = 1_000;

/**
 * All limits of a request in one round trip, where rate-limiter-flexible takes one for each and counts on after the first
 * that refuses. Redis's own time decides, so that every process sees the same windows, and the script's end is exact to
 * the millisecond as it stands still meanwhile. For each key three arguments: `count`, `look`, `guard` (refuses, without
 * counting) or `place` (of the guard before it), the limit, and the window in milliseconds. Answers the time, and for each
 * key up to the first that refuses what was taken and what is left of its window; -1 where no place is free.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local told = {now}
for index, key in ipairs(KEYS) do
  local how, limit, window = ARGV[3 * index - 2], tonumber(ARGV[3 * index - 1]), tonumber(ARGV[3 * index])
  if how == 'place' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    if told[#told - 1] + redis.call('ZCARD', key) >= limit then
      told[#told + 1] = -1
    else
      redis.call('ZADD', key, now + window, ARGV[#ARGV])
      redis.call('PEXPIRE', key, window)
    end
    return told
  end
  local taken = how == 'count' and redis.call('INCR', key) or tonumber(redis.call('GET', key) or '0')
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = window
    if how == 'count' then redis.call('PEXPIRE', key, window) end
  end
  told[#told + 1] = taken
  told[#told + 1] = left
  if (how == 'count' and taken > limit) or (how == 'guard' and taken >= limit) then return told end
end
return told`;

/** KEYS: the places and the failed payments of a caller. Only a place that is still kept becomes a failed payment. */
const END_PLACE = `
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 and ARGV[2] == '1' then
  redis.call('INCR', KEYS[2])
  if redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[3]) end
end`;

type Scripted = Redis & {
  takeLimits(keys: number, ...given: (string | number)[]): Promise<number[]>;
  endPlace(keys: number, ...given: (string | number)[]): Promise<null>;
};

type How = 'count' | 'look' | 'guard' | 'place';
type Step = { key: string; how: How; limit: number; windowMs: number };

/** Counts in Redis, for as many processes as use the same prefix. Every function rejects when Redis does not answer in time. */
export type RedisStore = {
  take(names: readonly LimitKey[], key: string, code: ErrorCode, told: LimitState[]): Promise<void>;
  look(names: readonly LimitKey[], key: string, told: LimitState[]): Promise<void>;
  takePaid(
    names: readonly LimitKey[],
    key: string,
    code: ErrorCode,
    told: LimitState[],
    presented: boolean,
  ): Promise<TakenPlace>;
  /** Once, before anything else. @throws why there is no Redis at the URL */
  open(): Promise<void>;
  /** Writes: a Redis that only reads, or is full, is none. */
  check(): Promise<void>;
  close(): void;
};

export type RedisStoreOptions = { url: string; prefix: string; table: LimitTable; newId: () => string };

export function createRedisStore({ url, prefix, table, newId }: RedisStoreOptions): RedisStore {
  const { redis, lastError } = prepare(url);
  const keyOf = (name: string, key: string) => `${prefix}:limits:${name}:${key}`;

  function stepOf(name: LimitKey, key: string, how: How): Step {
    const { points, seconds } = table[name];
    return { key: keyOf(name, key), how, limit: points, windowMs: seconds * 1000 };
  }

  async function run(steps: Step[], token = ''): Promise<number[]> {
    const given = steps.flatMap(({ how, limit, windowMs }) => [how, limit, windowMs]);
    return await inTime(redis.takeLimits(steps.length, ...steps.map(({ key }) => key), ...given, token));
  }

  function placeOf(token: string, key: string): Place {
    const keys = [keyOf('paymentsUnderWay', key), keyOf('failedPayments', key)];
    let ended = false;
    return {
      async end(failed) {
        if (ended) return;
        ended = true;
        await inTime(redis.endPlace(2, ...keys, token, failed ? '1' : '0', table.failedPayments.seconds * 1000));
      },
    };
  }

  async function check(): Promise<void> {
    await inTime(redis.set(keyOf('check', 'write'), '1', 'PX', 1_000));
  }

  return {
    async take(names, key, code, told) {
      tell(table, names, code, await run(names.map((name) => stepOf(name, key, 'count'))), told);
    },
    async look(names, key, told) {
      tell(table, names, null, await run(names.map((name) => stepOf(name, key, 'look'))), told);
    },
    async takePaid(names, key, code, told, presented) {
      const guard = stepOf('failedPayments', key, 'guard');
      const steps = [...names.map((name) => stepOf(name, key, 'count')), guard];
      const token = newId();
      if (presented) steps.push({ ...guard, key: keyOf('paymentsUnderWay', key), how: 'place', windowMs: PLACE_MS });
      const answer = await run(steps, token);
      tell(table, names, code, answer, told);
      const [, state] = readState(table, 'failedPayments', answer, names.length);
      if (state.remaining === 0) throw new LimitExceeded(code, table.failedPayments.title, state);
      if (!presented) return null;
      return answer.at(-1) === -1 ? 'busy' : placeOf(token, key);
    },
    async open() {
      try {
        await redis.connect();
        await check();
      } catch (error) {
        redis.disconnect();
        // Of a connection that was not made the library says only that it is closed.
        throw lastError() ?? error;
      }
    },
    check,
    close: () => redis.disconnect(),
  };
}

/**
 * Rejects when there is no answer within 250 ms. A process that was busy finds its timers due before it reads what arrived
 * meanwhile: it gets to read first, or a load of its own would look like a lost Redis. (The library's `commandTimeout` does
 * not wait for that.)
 */
async function inTime<T>(command: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = () => reject(new Error(`Redis did not answer within ${COMMAND_MS} ms`));
  const timer = setTimeout(() => setImmediate(late), COMMAND_MS);
  command.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** What the script told of its key number `index`. */
function readState(table: LimitTable, name: LimitKey, answer: number[], index: number): [number, LimitState] {
  const { 0: now = 0, [2 * index + 1]: taken = 0, [2 * index + 2]: left = 0 } = answer;
  return [taken, stateOf(table, name, taken, left, now + left)];
}

/** Throws at the first that refused: the answer ends there. `code` is null where nothing was counted. */
function tell(
  table: LimitTable,
  names: readonly LimitKey[],
  code: ErrorCode | null,
  answer: number[],
  told: LimitState[],
): void {
  for (const [index, name] of names.entries()) {
    const [taken, state] = readState(table, name, answer, index);
    if (code !== null) requireLeft(table, code, taken, state);
    told.push(state);
  }
}

function prepare(url: string): { redis: Scripted; lastError: () => Error | null } {
  let last: Error | null = null;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: MAX_RECONNECT_MS,
    socketTimeout: SILENCE_MS,
    // What can not be asked now is answered otherwise, not kept.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    // A replica after a failover: the address leads to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // Whoever asks learns of it; without a listener the library prints it.
  redis.on('error', (error: Error) => {
    last = error;
  });
  redis.defineCommand('takeLimits', { lua: TAKE });
  redis.defineCommand('endPlace', { lua: END_PLACE });
  return { redis: redis as Scripted, lastError: () => last };
}
