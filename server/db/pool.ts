import { postgres } from './driver.ts';
import type { Db } from '../ports/database.ts';

export type PoolOptions = {
  url: string;
  connections: number;
  /** Parameters that each connection sets at its start, by their names in PostgreSQL. */
  parameters?: Record<string, string>;
};

/** A view that takes longer fails. Shorter than the limit of the role (10 s), which holds for the other pools. */
const VIEW_TIMEOUT = '8s';

/** All connections of one process, see `World`: `connections` for `db` and `reads`, and `viewConnections` for `views`. */
export function createPools({
  url,
  connections,
  viewConnections,
}: PoolOptions & { viewConnections: number }): Record<'db' | 'reads' | 'views', Db> {
  const others = Math.max(1, connections - 1);
  return {
    db: createPool({ url, connections: others }),
    reads: createPool({ url, connections: 1 }),
    views: createViewPool({ url, connections: viewConnections }),
  };
}

/** The pool of views/: PostgreSQL refuses every write on it. */
export function createViewPool(options: Omit<PoolOptions, 'parameters'>): Db {
  return createPool({
    ...options,
    parameters: { default_transaction_read_only: 'on', statement_timeout: VIEW_TIMEOUT },
  });
}

/** 0 to 1, different in each process and at each call; nothing is decided by it. */
const jitter = () => (performance.now() * 7919) % 1;

/**
 * Makes a connection pool; no other code does. The time limits of statements belong to the database role (`migrate`),
 * because a transaction-mode pooler drops what a session sets. Only views set parameters, at the start of a connection.
 */
export function createPool({ url, connections, parameters = {} }: PoolOptions): Db {
  const db = postgres(url, {
    max: connections,
    // A dead database must become an answer within the request, not a hang.
    connect_timeout: 5,
    idle_timeout: 300,
    max_lifetime: 3600,
    // Jittered, so that processes do not come back to a restarted database all at once.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 2) * (0.5 + jitter()),
    onnotice: () => {},
    connection: { ...parameters, application_name: 'concours' },
    types: { bigint: safeInteger },
  });
  askForArraysOnce(db);
  return db;
}

const TEXT_ARRAY = 1009;

/**
 * At each new connection the driver asks for the types of arrays, in a query whose failure nobody can catch: a database
 * that stops just then would end the process. The first answer serves all connections of the pool.
 */
function askForArraysOnce({ options }: Db): void {
  Object.defineProperty(options, 'fetch_types', { get: () => !(TEXT_ARRAY in options.parsers) });
}

/** int8 as a number: microdollars stay below 2^53; anything larger is an error, never a rounded figure. */
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
