import { limitTimes, migrate, planMigrations } from './migrate.ts';
import type { Migration, Phase } from './migration-files.ts';
import { createPool } from './pool.ts';
import { grantServing, grantSigner } from './serving-role.ts';
import { requireDurableCommits } from './time-limits.ts';
import type { Db } from '../ports/database.ts';

/** The part of the schema that a start applies. */
export type AtStart = 'all' | 'expand' | 'off';

/**
 * Brings the schema of a database to what this code needs, or only checks it.
 *
 * @returns the names of the migrations that this call applied
 * @throws Error when this code may not use the database, lacks a migration that it may not apply, or could lose a commit
 */
export async function prepareDatabase(url: string, atStart: AtStart): Promise<string[]> {
  const applied = await withMigrationPool(url, async (db) => {
    const missing = await planMigrations(db, { phase: atStart === 'all' ? 'all' : 'expand' });
    if (atStart !== 'off' && missing.length > 0) return await migrate(db, { phase: atStart });
    requireNothing(missing);
    await limitTimes(db);
    return [];
  });
  await withMigrationPool(url, requireDurableCommits);
  return applied;
}

/** Checks that a database has what this code needs, and changes nothing. @throws Error when it lacks a migration */
export async function requireMigrated(url: string): Promise<void> {
  requireNothing(await planOf(url, 'expand'));
}

function requireNothing(missing: readonly Migration[]): void {
  if (missing.length === 0) return;
  throw new Error(
    `the database lacks ${missing.map(({ name }) => name).join(', ')}. ` +
      'Run `concours-server migrate --phase expand` with the role that owns the tables, then try again.',
  );
}

/**
 * Applies a phase apart from a start, and gives roles their rights: to serve, or to read what a signer needs. Returns
 * the names of what it applied.
 */
export async function migrateApart(
  url: string,
  {
    phase,
    servingRole,
    signerRole,
  }: { phase: Phase; servingRole?: string | undefined; signerRole?: string | undefined },
): Promise<string[]> {
  return await withMigrationPool(url, async (db) => {
    const applied = await migrate(db, { phase });
    if (servingRole !== undefined) await grantServing(db, servingRole);
    if (signerRole !== undefined) await grantSigner(db, signerRole);
    return applied;
  });
}

/** Returns the migrations that a phase would apply. Changes nothing. */
export async function planOf(url: string, phase: Phase): Promise<Migration[]> {
  return await withMigrationPool(url, async (db) => await planMigrations(db, { phase }));
}

/**
 * Migrates on separate connections: the time limits of the role apply only to later ones, and an index that is built
 * `concurrently` needs a second connection without them. It waits for older transactions, and blocks nobody meanwhile.
 */
async function withMigrationPool<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const parameters = { statement_timeout: '0', lock_timeout: '60s' };
  const db = createPool({ url, connections: 2, prepare: false, parameters });
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 5 });
  }
}
