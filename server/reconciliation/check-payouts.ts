import * as queries from './payout-queries.ts';
import type { Queryable } from '../ports/database.ts';

/** What is owed and not settled on chain, by how far it has come. */
export async function unsettledPayouts(
  db: Queryable,
): Promise<{ state: string; count: number; amountMicro: number }[]> {
  return await queries.unsettledByState(db);
}

/** What the books must say of payouts and refunds, in words where they do not. */
export async function payoutProblems(db: Queryable): Promise<string[]> {
  const [unpaid, unknown, refunds, uncovered] = await Promise.all([
    queries.settledWithoutPayment(db),
    queries.paymentsWithoutPayout(db),
    queries.wrongRefunds(db),
    queries.uncoveredAccounts(db),
  ]);
  return [
    ...unpaid.map(({ id }) => `payout ${id} is settled without exactly one payment of it from its account`),
    ...unknown.map(({ id }) => `payment ${id} left the treasury and settles no payout`),
    ...refunds.map(({ id }) => `refund ${id} is not the payment that it gives back`),
    ...uncovered.map(
      ({ account, owedMicro, balanceMicro }) => `account ${account} shows ${balanceMicro} and owes ${owedMicro}`,
    ),
  ];
}
