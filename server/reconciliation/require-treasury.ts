import { CannotRun } from '../cannot-run.ts';
import type { Queryable } from '../db/database.ts';
import { findOtherTreasury, type ScannedTreasury } from './queries.ts';

/**
 * Ends a start whose treasury is not the one of this database: its ledger was compared with the balance of another address.
 * Payments would go to a wallet that the ledger does not count, and no operation moves the books to another treasury.
 *
 * @throws CannotRun
 */
export async function requireTreasury(db: Queryable, own: ScannedTreasury): Promise<void> {
  const other = await findOtherTreasury(db, own);
  if (other === null) return;
  throw new CannotRun(
    `TREASURY_KEY or TREASURY_ADDRESS: the treasury of this database is ${other}, not ${own.treasury}. Give the key or address of ${other}`,
  );
}
