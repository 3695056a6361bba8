import type { Sql, TransactionSql } from 'postgres';

/** int8 is read as a safe integer, because sums of microdollars stay below 2^53 (9 billion USDC). */
export type PgTypes = { bigint: number };

export type Db = Sql<PgTypes>;

export type Tx = TransactionSql<PgTypes>;

/** The first argument of a query that may run with or without a transaction. A query that writes takes `Tx`. */
export type Queryable = Db | Tx;

/**
 * The circuit breaker of the database. While it is open, the service refuses requests at once instead of letting them wait
 * for a connection.
 */
export type Breaker = {
  /** Whether the newest probe failed. */
  isOpen(): boolean;
  /**
   * Asks the database on a new connection, and opens or closes the breaker. Returns whether the database can serve: it
   * answers within 2 s and takes writes. Concurrent callers share one probe.
   */
  probe(): Promise<boolean>;
  /** Like `probe`, but a success of the last second counts. */
  answers(): Promise<boolean>;
  stop(): void;
};

/** The pools that only read. */
export type ReadPools = Record<'reads' | 'views' | 'searches' | 'searchReads', Db>;
