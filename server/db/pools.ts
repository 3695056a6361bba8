import type { PoolOptions } from './connections.ts';
import { createPool } from './pool.ts';
import type { Db } from '../ports/database.ts';

/** Longer than `statement_timeout` of the role. */
const ANSWER_MS = 12_000;
/** How much longer than PostgreSQL a client waits for the end of a statement. */
const MARGIN_MS = 2_000;
/** A view that takes longer fails. Shorter than the limit of the role (10 s), which holds for the other pools. */
const VIEW_TIMEOUT_MS = 8_000;

type AllPoolsOptions = Pick<PoolOptions, 'url' | 'prepare'> & {
  viewConnections: number;
  searchConnections: number;
  searchTimeoutMs: number;
};
type Pools = Record<'db' | 'views' | 'searches' | 'searchReads', Db>;

/**
 * Creates all connections of one process, see `World`: `connections` for `db`, `viewConnections` for `views`,
 * and `searchConnections` for `searches` and `searchReads`.
 */
export function createPools({ connections, ...options }: AllPoolsOptions & { connections: number }): Pools {
  const { viewConnections: _views, searchConnections: _searches, searchTimeoutMs: _timeout, ...shared } = options;
  return {
    db: createPool({ ...shared, connections, answerMs: ANSWER_MS }),
    ...createReadingPools(options),
  };
}

const others = (all: number) => Math.max(1, all - 1);

/** Creates the pools that only read. */
export function createReadingPools({
  viewConnections,
  searchConnections,
  searchTimeoutMs,
  ...shared
}: AllPoolsOptions): Pick<Pools, 'views' | 'searches' | 'searchReads'> {
  const pool = (connections: number, timeoutMs: number) => createReadingPool({ ...shared, connections, timeoutMs });
  return {
    views: pool(viewConnections, VIEW_TIMEOUT_MS),
    searches: pool(others(searchConnections), searchTimeoutMs),
    searchReads: pool(1, searchTimeoutMs),
  };
}

/** The pool of views/. */
export const createViewPool = (options: PoolOptions): Db =>
  createReadingPool({ ...options, timeoutMs: VIEW_TIMEOUT_MS });

/** Creates a pool on which PostgreSQL refuses every write, and ends each statement after `timeoutMs`. */
export function createReadingPool({ timeoutMs, ...options }: PoolOptions & { timeoutMs: number }): Db {
  return createPool({ ...options, readOnlyForMs: timeoutMs, answerMs: timeoutMs + MARGIN_MS });
}
