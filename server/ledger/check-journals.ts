import { driftedAccounts, listAccounts, unbalancedJournals, type AccountRow } from './queries.ts';
import type { Queryable } from '../ports/database.ts';

/** The invariants that the ledger holds by itself: journals sum to zero, balances equal the sum of their entries. */
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
        (row) => `account ${row.account} shows ${row.balanceMicro}, its entries sum to ${row.recomputedMicro}`,
      ),
    ],
  };
}
