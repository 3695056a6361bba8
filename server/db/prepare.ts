import { migrate, requireMigrated } from './migrate.ts';
import { createPool } from './pool.ts';
import { requireDurableCommits } from './time-limits.ts';
import type { Db } from './database.ts';

/**
 * Brings the schema of a database to what this code needs, and sets the time limits of its role.
 *
 * @returns the names of the migrations that this call applied
 * @throws Error when this code may not use the database, or when the database could lose a commit
 */
export async function prepareDatabase(url: string): Promise<string[]> {
  const applied = await onOneConnection(url, migrate);
  // The settings of a role hold for later connections only.
  await onOneConnection(url, requireDurableCommits);
  return applied;
}

/** Checks that a database has what this code needs, and changes nothing. @throws Error when it has not */
export async function requirePrepared(url: string): Promise<void> {
  await onOneConnection(url, requireMigrated);
}

async function onOneConnection<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = createPool({ url, connections: 1, prepare: false });
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 5 });
  }
}
