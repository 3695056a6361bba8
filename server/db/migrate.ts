import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptVersion010, type Applied, isFromVersion010 } from './adopt.ts';
import { withTransaction } from './transaction.ts';
import type { Db, Tx } from '../ports/database.ts';

const FOLDER = join(import.meta.dirname, '..', 'migrations');
// An arbitrary number. Every process that migrates takes the lock with this number.
const LOCK = 7_266_427;

type Migration = Applied & { sql: string };

const TIME_LIMITS = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '15s',
};

/**
 * Applies the missing files of `migrations/` in the order of their names, all in one transaction. A database of version
 * 0.1.0 is adopted first (`adopt.ts`). Only one process migrates at a time: the transaction holds an advisory lock, so the
 * lock works behind a pooler and ends with a killed process.
 *
 * @param last the last file to apply; tests use it to build the database of an older version
 * @returns the names of the files that this call applied
 * @throws Error when an applied file has changed, when the database has a migration that this version does not know, or
 *   when the database cannot be adopted
 */
export async function migrate(db: Db, { last }: { last?: string } = {}): Promise<string[]> {
  const files = await readMigrations();
  return await withTransaction(db, async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = 0`;
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
    let applied = await listApplied(tx);
    if (isFromVersion010(applied)) {
      await adoptVersion010(tx, applied, files);
      applied = await listApplied(tx);
    }
    checkApplied(applied, files);
    const known = new Set(applied.map(({ name }) => name));
    const missing = files.filter(({ name }) => !known.has(name) && (last === undefined || name <= last));
    for (const { name, hash, sql } of missing) {
      await tx.unsafe(sql);
      await tx`insert into migrations (name, hash) values (${name}, ${hash})`;
    }
    await setTimeLimits(tx);
    return missing.map(({ name }) => name);
  });
}

async function listApplied(tx: Tx): Promise<Applied[]> {
  return await tx<Applied[]>`select name, hash from migrations order by name`;
}

function checkApplied(applied: Applied[], files: Migration[]): void {
  for (const { name, hash } of applied) {
    const file = files.find((each) => each.name === name);
    if (!file)
      throw new Error(
        `the database has the migration ${name}, which this version does not know. ` +
          'Start the version that applied it, or a newer one.',
      );
    if (file.hash !== hash)
      throw new Error(`migration ${name} was changed after it was applied. Restore the file as it was applied.`);
  }
}

/**
 * Sets the time limits for all later connections of this role to this database. A pooler drops the settings of a session
 * and refuses most settings at the start of a connection, so the role has to hold them.
 */
async function setTimeLimits(tx: Tx): Promise<void> {
  for (const [name, value] of Object.entries(TIME_LIMITS)) {
    await tx.unsafe(
      `do $$ begin execute format('alter role current_user in database %I set ${name} = ''${value}''', current_database()); end $$`,
    );
  }
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(FOLDER, name), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
