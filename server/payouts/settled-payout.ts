import type { Tx } from '../ports/database.ts';
import type { PayoutRow } from './queries.ts';

/** A payout whose transfer is on chain, as the transaction sees it that books it. */
export type SettledPayout = PayoutRow & { recipient: string; txHash: string; settledAt: Date };

/** Who else is told of a settled payout, in the transaction that books it; given at composition by the domain it concerns. */
export type PayoutSetup = {
  settled(tx: Tx, payout: SettledPayout): Promise<void>;
};
