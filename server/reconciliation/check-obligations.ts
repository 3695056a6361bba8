import { leftoverAccounts, wrongEscrows, wronglyAwarded } from './obligation-queries.ts';
import {
  paymentsWithoutPayout,
  settledWithoutPayment,
  uncoveredAccounts,
  unsettledPayouts,
  wrongRefunds,
  wrongReturns,
} from './payout-queries.ts';
import type { Tx } from '../db/database.ts';

/** The findings of the ledger check about projects and payouts. */
export type Obligations = {
  /** One sentence per problem. Empty if there is none. */
  problems: string[];
  /** Unsettled payouts by state. */
  unsettled: { state: string; count: number; amountMicro: number }[];
};

/** Checks in the snapshot of a ledger check that each project was paid, awarded, and settled correctly. */
export async function checkObligations(tx: Tx): Promise<Obligations> {
  const [unsettled, payouts, awarded, leftovers, escrows] = await Promise.all([
    unsettledPayouts(tx),
    payoutProblems(tx),
    wronglyAwarded(tx),
    leftoverAccounts(tx),
    wrongEscrows(tx),
  ]);
  return {
    unsettled,
    problems: [
      ...payouts,
      ...awarded.map(
        ({ projectId, owedMicro }) =>
          `project ${projectId} owes ${owedMicro}, which is not the prize minus the platform fee`,
      ),
      ...leftovers.map(
        ({ account, status, balanceMicro, owedMicro }) =>
          `account ${account} of a ${status ?? 'missing'} project has a balance of ${balanceMicro}, but unsettled payouts of ${owedMicro}`,
      ),
      ...escrows.map(
        ({ projectId, balanceMicro, prizeMicro }) =>
          `the escrow of project ${projectId} has a balance of ${balanceMicro}, which with its settled payouts is not its prize of ${prizeMicro}`,
      ),
    ],
  };
}

/** Describes every payout and refund that contradicts the ledger. */
async function payoutProblems(tx: Tx): Promise<string[]> {
  const [unpaid, unknown, refunds, returns, uncovered] = await Promise.all([
    settledWithoutPayment(tx),
    paymentsWithoutPayout(tx),
    wrongRefunds(tx),
    wrongReturns(tx),
    uncoveredAccounts(tx),
  ]);
  return [
    ...unpaid.map(({ id }) => `payout ${id} is settled without exactly one payment from its account`),
    ...unknown.map(({ id }) => `payment ${id} left the treasury but settles no payout`),
    ...refunds.map(({ id }) => `refund ${id} differs from the payment that it gives back`),
    ...returns.map(({ id }) => `payout or stray ${id}: a returned stray and its payout differ`),
    ...uncovered.map(
      ({ account, owedMicro, balanceMicro }) =>
        `account ${account} has a balance of ${balanceMicro}, but unsettled payouts of ${owedMicro}`,
    ),
  ];
}
