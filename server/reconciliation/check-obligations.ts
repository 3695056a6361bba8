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

const CHECKS = [
  settledWithoutPayment,
  paymentsWithoutPayout,
  wrongRefunds,
  wrongReturns,
  uncoveredAccounts,
  wronglyAwarded,
  leftoverAccounts,
  wrongEscrows,
];

/** Checks in the snapshot of a ledger check that each project was paid, awarded, and settled correctly. */
export async function checkObligations(tx: Tx): Promise<Obligations> {
  const found = CHECKS.map((check) => check(tx));
  const [unsettled, ...problems] = await Promise.all([unsettledPayouts(tx), ...found]);
  return { unsettled, problems: problems.flat().map(({ problem }) => problem) };
}
