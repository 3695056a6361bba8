import { postgres } from './driver.ts';
import { closeSilentConnections, type Peer, type SilentConnectionLimit } from './silent-connections.ts';
import { limitConnectionWait } from './wait-limit.ts';
import type { Db } from '../ports/database.ts';

export type PoolOptions = {
  url: string;
  connections: number;
  /** False sends every statement without preparing it, for poolers that cannot hold prepared statements. Default: true. */
  prepare?: boolean;
  /** Parameters that each connection sets at its start, by their names in PostgreSQL. */
  parameters?: Record<string, string>;
  /** Returns a random number from 0 to 1, which spreads reconnects over time. Without it the delay is the middle one. */
  jitter?: () => number;
  /** Closes connections that stop answering. Without it, only TCP's keepalive finds those, and only while they are idle. */
  unanswered?: SilentConnectionLimit;
  /**
   * Fails a statement that waits 5 s for a connection, as requests need it. Without it, a statement waits for as long
   * as it takes.
   */
  limitWait?: boolean;
};

/** Longer than `statement_timeout` of the role. */
const UNANSWERED_MS = 12_000;
const UNANSWERED_MARGIN_MS = 2_000;

/** A view that takes longer fails. Shorter than the limit of the role (10 s), which holds for the other pools. */
const VIEW_TIMEOUT_MS = 8_000;

type AllPoolsOptions = Omit<PoolOptions, 'connections' | 'silence' | 'limitWait' | 'parameters'> & {
  viewConnections: number;
  searchConnections: number;
  searchTimeoutMs: number;
  /** See `SilentConnectionLimit`. */
  working?: SilentConnectionLimit['working'] | undefined;
};
type Pools = Record<'db' | 'reads' | 'views' | 'searches' | 'searchReads', Db>;

/**
 * Creates all connections of one process, see `World`: `connections` for `db` and `reads`, `viewConnections` for `views`,
 * and `searchConnections` for `searches` and `searchReads`.
 */
export function createPools({
  connections,
  viewConnections,
  searchConnections,
  searchTimeoutMs,
  working,
  ...options
}: AllPoolsOptions & { connections: number }): Pools {
  const peers = new Set<Peer>();
  const unanswered: SilentConnectionLimit = { limitMs: UNANSWERED_MS, peers, ...(working ? { working } : {}) };
  return {
    db: createPool({ ...options, connections: others(connections), unanswered, limitWait: true }),
    reads: createPool({ ...options, connections: 1, unanswered, limitWait: true }),
    ...createReadingPools({ viewConnections, searchConnections, searchTimeoutMs, working, ...options }, peers),
  };
}

const others = (all: number) => Math.max(1, all - 1);

/** Creates the pools that only read, of the primary or of a replica. */
export function createReadingPools(
  { viewConnections, searchConnections, searchTimeoutMs, working, ...options }: AllPoolsOptions,
  peers = new Set<Peer>(),
): Pick<Pools, 'views' | 'searches' | 'searchReads'> {
  const pool = (connections: number, timeoutMs: number) =>
    createReadingPool({
      ...options,
      connections,
      timeout: `${timeoutMs}ms`,
      limitWait: true,
      unanswered: { limitMs: timeoutMs + UNANSWERED_MARGIN_MS, peers, ...(working ? { working } : {}) },
    });
  return {
    views: pool(viewConnections, VIEW_TIMEOUT_MS),
    searches: pool(others(searchConnections), searchTimeoutMs),
    searchReads: pool(1, searchTimeoutMs),
  };
}

/** The pool of views/. */
export function createViewPool(options: Omit<PoolOptions, 'parameters'>): Db {
  return createReadingPool({ ...options, timeout: `${VIEW_TIMEOUT_MS}ms` });
}

/** Creates a pool on which PostgreSQL refuses every write, and ends each statement after `timeout`. */
export function createReadingPool({ timeout, ...options }: Omit<PoolOptions, 'parameters'> & { timeout: string }): Db {
  return createPool({
    ...options,
    parameters: { default_transaction_read_only: 'on', statement_timeout: timeout },
  });
}

/**
 * Creates a connection pool; no other code does. `migrate` sets the time limits of statements on the database role, because
 * a pooler in transaction mode drops what a session sets. Only views and searches set parameters, at the start of a
 * connection.
 */
export function createPool(options: PoolOptions): Db {
  const { url, connections, prepare = true, parameters = {}, jitter = () => 0.5, unanswered, limitWait } = options;
  const db = postgres(url, {
    max: connections,
    prepare,
    ...(prepare ? {} : ONE_AT_A_TIME),
    ...targetOf(url),
    // An unreachable database must fail the request in time, not hold it.
    connect_timeout: 5,
    // Finds an idle connection that died silently within about 20 s.
    keep_alive: 10,
    idle_timeout: 300,
    max_lifetime: 3600,
    // With jitter, so that processes do not reconnect to a restarted database all at once.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1) * (0.5 + jitter()),
    onnotice: () => {},
    connection: { ...parameters, application_name: 'concours' },
    types: { bigint: safeInteger },
  });
  askForArraysOnce(db);
  if (unanswered) closeSilentConnections(db, unanswered);
  if (limitWait) limitConnectionWait(db);
  return db;
}

/**
 * Connects to the primary among several hosts. The driver takes a connection that sets `default_transaction_read_only`
 * for one to a replica, so `read-write` alone would refuse every host to a pool that only reads.
 */
function targetOf(url: string): { target_session_attrs?: 'primary' } {
  return /[?&]target_session_attrs=(read-write|primary)\b/.test(url) ? { target_session_attrs: 'primary' } : {};
}

/**
 * Without prepared statements, the driver describes a statement before it runs it. A pooler in transaction mode gives the
 * connection away when the statement before has ended, and a description that was sent meanwhile is lost with it: the
 * statement would wait forever. So each connection runs one statement at a time.
 */
const ONE_AT_A_TIME = { max_pipeline: 0 };

const TEXT_ARRAY = 1009;

/** Lets only the first connection of a pool ask for array types, which the driver would ask for on every new connection. */
function askForArraysOnce({ options }: Db): void {
  Object.defineProperty(options, 'fetch_types', { get: () => !(TEXT_ARRAY in options.parsers) });
}

/** Reads int8 as a number. Microdollars stay below 2^53; a larger value throws instead of being rounded. */
const safeInteger = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError('a database integer is beyond the safe range');
    return value;
  },
};
