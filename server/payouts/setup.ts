import type { TransactionSql } from 'postgres';
import type { PayoutRow } from './queries.ts';

// `Tx` of context.ts, which names this file's types in turn.
type Tx = TransactionSql<{ bigint: number }>;

/** A payout whose transfer is on chain, as the transaction sees it that books it. */
export type SettledPayout = PayoutRow & { recipient: string; txHash: string; settledAt: Date };

/** Who else is told of a settled payout, in the transaction that books it; given at composition by the domain it concerns. */
export type PayoutSetup = {
  settled(tx: Tx, payout: SettledPayout): Promise<void>;
};
