import type { CheckObligations } from './obligations.ts';
import { payoutProblems, unsettledPayouts } from './check-payouts.ts';
import * as queries from './obligation-queries.ts';

/** What a check of the ledger asks of projects and payouts: that each project was paid, awarded and settled as it must be. */
export const checkObligations: CheckObligations = async (tx) => {
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
};
