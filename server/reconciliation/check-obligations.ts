import { payoutProblems, unsettledPayouts } from './check-payouts.ts';
import * as queries from './obligation-queries.ts';
import type { Tx } from '../ports/database.ts';

/** What the books must say about projects and payouts, as those who own them see it in the snapshot of a check. */
export type Obligations = {
  /** In words; empty while everything holds. */
  problems: string[];
  /** What is owed and not settled on chain, by how far it has come. */
  unsettled: { state: string; count: number; amountMicro: number }[];
};

/** What a check of the ledger asks of projects and payouts: that each project was paid, awarded and settled as it must be. */
export async function checkObligations(tx: Tx): Promise<Obligations> {
  const [unsettled, payouts, awarded, leftovers, escrows] = await Promise.all([
    unsettledPayouts(tx),
    payoutProblems(tx),
    queries.wronglyAwarded(tx),
    queries.leftoverAccounts(tx),
    queries.wrongEscrows(tx),
  ]);
  return {
    unsettled,
    problems: [
      ...payouts,
      ...awarded.map(
        ({ projectId, owedMicro }) => `project ${projectId} owes ${owedMicro}, which is not what its winners receive`,
      ),
      ...leftovers.map(
        ({ account, status, balanceMicro, owedMicro }) =>
          `account ${account} of a project that is ${status ?? 'gone'} shows ${balanceMicro}, still to be paid is ${owedMicro}`,
      ),
      ...escrows.map(
        ({ projectId, balanceMicro, prizeMicro }) =>
          `the escrow of project ${projectId} shows ${balanceMicro}: with what was paid from it, not its prize of ${prizeMicro}`,
      ),
    ],
  };
}
