import type { TransactionSql } from 'postgres';

// `Tx` of context.ts, which names this file's types in turn.
type Tx = TransactionSql<{ bigint: number }>;

/** What the books must say about projects and payouts, as those who own them see it in the snapshot of a check. */
export type Obligations = {
  /** In words; empty while everything holds. */
  problems: string[];
  /** What is owed and not settled on chain, by how far it has come. */
  unsettled: { state: string; count: number; amountMicro: number }[];
};

/** Given at composition. */
export type CheckObligations = (tx: Tx) => Promise<Obligations>;
