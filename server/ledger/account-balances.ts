import { lockBalances } from './queries.ts';
import type { Tx } from '../db/database.ts';

/**
 * Returns the balances of these accounts and locks them until the transaction ends. An account without entries has 0.
 */
export async function accountBalances(tx: Tx, accounts: string[]): Promise<Map<string, number>> {
  const rows = await lockBalances(tx, accounts);
  const known = new Map(rows.map(({ account, balanceMicro }) => [account, balanceMicro]));
  return new Map(accounts.map((account) => [account, known.get(account) ?? 0]));
}
