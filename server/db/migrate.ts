import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Queryable, Tx } from './database.ts';
import { DatabaseError } from './errors.ts';
import { createPool } from './pool.ts';
import { requireDurableCommits, setTimeLimits } from './time-limits.ts';
import { withTransaction } from './transaction.ts';

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');
// An arbitrary number. Every process that migrates takes the lock with this number.
const LOCK = 7_266_427;
/** A statement that waits for a table's lock blocks all later statements on the table, so it waits only for this long. */
const LOCK_TIMEOUT_MS = 2_000;
const WAITED_TOO_LONG = '55P03';
/** With the pauses, a migration tries for about two minutes to get its locks. */
const TRIES = 40;
const PAUSE_MS = 1_000;

type Migration = {
  /** The file's name. Names have the order of their numbers. */
  name: string;
  sql: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** `expand` only adds, so older code works beside it; `contract` takes away what older code uses. */
  kind: 'expand' | 'contract';
};
type Applied = Pick<Migration, 'name' | 'hash' | 'kind'>;

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
  const files = await readMigrations(MIGRATIONS);
  const missing = await onOneConnection(url, async (db) => missingOf(await listApplied(db), files));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw new Error(`the database lacks ${names}. Run \`concours-server migrate\`, then try again.`);
}

async function onOneConnection<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = createPool({ url, connections: 1, prepare: false });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/**
 * Applies the missing migrations in one transaction. The transaction holds an advisory lock, so only one process migrates at
 * a time, also behind a pooler, and a killed process leaves nothing behind.
 *
 * @returns the names of the files that this call applied
 * @throws Error when this code may not use the database (`missingOf`)
 */
export async function migrate(db: Db, { folder = MIGRATIONS }: { folder?: string } = {}): Promise<string[]> {
  const files = await readMigrations(folder);
  for (let tries = 1; ; tries += 1) {
    try {
      return await withTransaction(db, (tx) => applyMissing(tx, files));
    } catch (error) {
      const isLocked = error instanceof DatabaseError && error.code === WAITED_TOO_LONG;
      if (!isLocked || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function applyMissing(tx: Tx, files: Migration[]): Promise<string[]> {
  await tx`set local statement_timeout = 0`;
  await tx`set local lock_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${LOCK})`;
  await tx.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await tx`
    create table if not exists migrations (
      name text primary key, hash text not null, kind text not null check (kind in ('expand', 'contract')),
      applied_at timestamptz not null default now())`;
  const missing = missingOf(await listApplied(tx), files);
  for (const { name, hash, kind, sql } of missing) {
    await tx.unsafe(sql);
    await tx`insert into migrations (name, hash, kind) values (${name}, ${hash}, ${kind})`;
  }
  await setTimeLimits(tx);
  return missing.map(({ name }) => name);
}

async function listApplied(db: Queryable): Promise<Applied[]> {
  const [found] = await db`select to_regclass('migrations') is not null as exists`;
  return found?.['exists'] ? await db<Applied[]>`select name, hash, kind from migrations order by name` : [];
}

/** @throws Error that says what to do when the database has a migration that this code does not know, or knows otherwise */
function missingOf(applied: Applied[], files: Migration[]): Migration[] {
  for (const { name, hash, kind } of applied) {
    const file = files.find((each) => each.name === name);
    if (!file && kind !== 'expand')
      throw new Error(
        `the database has the migration ${name}, which takes away what this version uses. ` +
          'Start the version that applied it, or a newer one.',
      );
    if (file && file.hash !== hash)
      throw new Error(`migration ${name} was changed after it was applied. Restore the file as it was applied.`);
  }
  const known = new Set(applied.map(({ name }) => name));
  return files.filter(({ name }) => !known.has(name));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      const [, kind] = /^-- (expand|contract)\n/.exec(sql) ?? [];
      if (kind !== 'expand' && kind !== 'contract')
        throw new Error(`migration ${name}: the first line must be "-- expand" or "-- contract"`);
      return { name, sql, kind, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
