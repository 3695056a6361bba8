import type { Sql, TransactionSql } from 'postgres';

/** int8 is read as a safe integer: microdollar sums stay below 2^53 (9 billion USDC). */
export type PgTypes = { bigint: number };

export type Db = Sql<PgTypes>;

export type Tx = TransactionSql<PgTypes>;

/** What a query function takes: reads may run outside a transaction, writes are given one. */
export type Queryable = Db | Tx;
