import type { Sql, TransactionSql } from 'postgres';

/** int8 is read as a safe integer, because sums of microdollars stay below 2^53 (9 billion USDC). */
export type PgTypes = { bigint: number };

export type Db = Sql<PgTypes>;

export type Tx = TransactionSql<PgTypes>;

/** The first argument of a query that may run with or without a transaction. A query that writes takes `Tx`. */
export type Queryable = Db | Tx;
