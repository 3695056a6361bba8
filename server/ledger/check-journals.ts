import { driftedAccounts, listAccounts, unbalancedJournals, type AccountRow } from './queries.ts';
import type { Queryable } from '../db/database.ts';

/** Checks the ledger's own invariants: each journal sums to zero, and each balance equals the sum of its entries. */
export async function checkJournals(db: Queryable): Promise<{ accounts: AccountRow[]; problems: string[] }> {
  const [accounts, unbalanced, drifted] = await Promise.all([
    listAccounts(db),
    unbalancedJournals(db),
    driftedAccounts(db),
  ]);
  return {
    accounts,
    problems: [
      ...unbalanced.map((row) => `journal ${row.journalId} does not sum to zero`),
      ...drifted.map(
        (row) =>
          `account ${row.account} has a balance of ${row.balanceMicro}, but its entries sum to ${row.recomputedMicro}`,
      ),
    ],
  };
}
