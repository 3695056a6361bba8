import { Redis } from 'ioredis';
import type { ErrorCode } from '../../../contract/basics/errors.ts';
import {
  type CountedState,
  LimitExceeded,
  type LimitKey,
  type LimitState,
  type LimitTable,
  type Reservation,
  requireLeft,
  limitStateOf,
  type ReservationResult,
} from './limits.ts';

// A reservation of a process that died ends after this time, which is longer than a paid request lasts.
const RESERVATION_MS = 120_000;
// A slower Redis counts as lost: the requests that wait for it wait this long, later ones do not ask.
const COMMAND_MS = 250;
// A connection whose peer has vanished is closed after this time.
const SOCKET_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_MS = 1_000;

/**
 * Checks all limits of a request in one round trip, and stops at the first that refuses. Redis's own time decides, so
 * every process sees the same windows.
 *
 * Each key has three arguments: an action, the limit, and the window in milliseconds. The actions are `count`, `peek`,
 * `guard` (refuses without counting), and `reserve` (holds one of the guard before it). The script returns the time, then
 * two numbers for each key: the count and the milliseconds left in its window. A `reserve` returns only -1, and only when
 * no reservation is free.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local states = {now}
for index, key in ipairs(KEYS) do
  local how, limit, window = ARGV[3 * index - 2], tonumber(ARGV[3 * index - 1]), tonumber(ARGV[3 * index])
  if how == 'reserve' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    if states[#states - 1] + redis.call('ZCARD', key) >= limit then
      states[#states + 1] = -1
    else
      redis.call('ZADD', key, now + window, ARGV[#ARGV])
      redis.call('PEXPIRE', key, window)
    end
    return states
  end
  local taken = how == 'count' and redis.call('INCR', key) or tonumber(redis.call('GET', key) or '0')
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = window
    if how == 'count' then redis.call('PEXPIRE', key, window) end
  end
  states[#states + 1] = taken
  states[#states + 1] = left
  if (how == 'count' and taken > limit) or (how == 'guard' and taken >= limit) then return states end
end
return states`;

/** KEYS: the reservations and the failed payments of a caller. Only a live reservation becomes a failed payment. */
const END_RESERVATION = `
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 and ARGV[2] == '1' then
  redis.call('INCR', KEYS[2])
  if redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[3]) end
end`;

type Scripted = Redis & {
  takeLimits(keys: number, ...given: (string | number)[]): Promise<number[]>;
  endReservation(keys: number, ...given: (string | number)[]): Promise<null>;
};

type How = 'count' | 'peek' | 'guard' | 'reserve';
type Step = { key: string; how: How; limit: number; windowMs: number };

/** Counts in Redis for all processes with one prefix. Every method rejects when Redis does not answer in time. */
export type RedisStore = {
  take(names: readonly LimitKey[], key: string, code: ErrorCode, states: LimitState[]): Promise<void>;
  peek(names: readonly LimitKey[], key: string, states: LimitState[]): Promise<void>;
  takePaid(
    names: readonly LimitKey[],
    key: string,
    code: ErrorCode,
    states: LimitState[],
    presented: boolean,
  ): Promise<ReservationResult>;
  /** Connects; call it once, first. @throws Error with the reason when no Redis answers at the URL */
  open(): Promise<void>;
  /** Writes a key, because limits need a Redis that accepts writes. */
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

  function reservationOf(token: string, key: string): Reservation {
    const keys = [keyOf('paymentsUnderWay', key), keyOf('failedPayments', key)];
    let ended = false;
    return {
      async end(failed) {
        if (ended) return;
        ended = true;
        await inTime(redis.endReservation(2, ...keys, token, failed ? '1' : '0', table.failedPayments.seconds * 1000));
      },
    };
  }

  async function check(): Promise<void> {
    await inTime(redis.set(keyOf('check', 'write'), '1', 'PX', 1_000));
  }

  return {
    async take(names, key, code, states) {
      addStates(table, names, code, await run(names.map((name) => stepOf(name, key, 'count'))), states);
    },
    async peek(names, key, states) {
      addStates(table, names, null, await run(names.map((name) => stepOf(name, key, 'peek'))), states);
    },
    async takePaid(names, key, code, states, presented) {
      const guard = stepOf('failedPayments', key, presented ? 'guard' : 'peek');
      const steps = [...names.map((name) => stepOf(name, key, 'count')), guard];
      const token = newId();
      if (presented)
        steps.push({ ...guard, key: keyOf('paymentsUnderWay', key), how: 'reserve', windowMs: RESERVATION_MS });
      const answer = await run(steps, token);
      addStates(table, names, code, answer, states);
      const [, state] = readState(table, 'failedPayments', answer, names.length);
      if (presented && state.remaining === 0) throw new LimitExceeded(code, table.failedPayments.title, state);
      states.push(presented ? state : { ...state, shownOnly: true });
      if (!presented) return null;
      return answer.at(-1) === -1 ? 'busy' : reservationOf(token, key);
    },
    async open() {
      try {
        await redis.connect();
        await check();
      } catch (error) {
        redis.disconnect();
        // For a failed connection the library reports only "closed", so throw the last error of the socket.
        throw lastError() ?? error;
      }
    },
    check,
    close: () => redis.disconnect(),
  };
}

/**
 * Rejects when Redis does not answer within 250 ms. After a busy period, Node runs due timers before it reads sockets.
 * `setImmediate` lets it read first, so that the process's own load does not look like a lost Redis. The library's
 * `commandTimeout` does not wait for that.
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

/** Returns the count and the state that the script returned for key number `index`. */
function readState(table: LimitTable, name: LimitKey, answer: number[], index: number): [number, CountedState] {
  const { 0: now = 0, [2 * index + 1]: taken = 0, [2 * index + 2]: left = 0 } = answer;
  return [taken, limitStateOf(table, name, taken, left, now + left)];
}

/** Appends the states. @throws LimitExceeded for the limit at which the script stopped, unless `code` is null */
function addStates(
  table: LimitTable,
  names: readonly LimitKey[],
  code: ErrorCode | null,
  answer: number[],
  states: LimitState[],
): void {
  for (const [index, name] of names.entries()) {
    const [taken, state] = readState(table, name, answer, index);
    if (code !== null) requireLeft(table, code, taken, state);
    states.push(state);
  }
}

function prepare(url: string): { redis: Scripted; lastError: () => Error | null } {
  let last: Error | null = null;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: MAX_RECONNECT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // A command that cannot be sent fails at once instead of waiting in a queue.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    // After a failover this connection leads to a replica; a new one leads to the primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // Commands report the error to their callers. Without a listener the library prints it.
  redis.on('error', (error: Error) => {
    last = error;
  });
  redis.defineCommand('takeLimits', { lua: TAKE });
  redis.defineCommand('endReservation', { lua: END_RESERVATION });
  return { redis: redis as Scripted, lastError: () => last };
}
