import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withTransaction } from './transaction.ts';
import type { Db, Tx } from '../ports/database.ts';

const FOLDER = join(import.meta.dirname, '..', 'migrations');
// Any constant: whoever migrates this service takes the same lock.
const LOCK = 7_266_427;

type Migration = { name: string; sql: string; hash: string };

const TIME_LIMITS = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '15s',
};

/**
 * Applies what is missing of `migrations/`, forward only, one process at a time: the lock is held by the
 * transaction, so it works behind a pooler and ends with a killed process.
 *
 * @throws Error when an applied file was changed afterwards
 */
export async function migrate(db: Db): Promise<string[]> {
  const files = await readMigrations();
  return await withTransaction(db, async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = 0`;
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
    const applied = new Map(
      (await tx<{ name: string; hash: string }[]>`select name, hash from migrations`).map((row) => [
        row.name,
        row.hash,
      ]),
    );
    const fresh: string[] = [];
    for (const file of files) {
      const known = applied.get(file.name);
      if (known === file.hash) continue;
      if (known !== undefined) throw new Error(`migration ${file.name} was changed after it was applied`);
      await tx.unsafe(file.sql);
      await tx`insert into migrations (name, hash) values (${file.name}, ${file.hash})`;
      fresh.push(file.name);
    }
    await setTimeLimits(tx);
    return fresh;
  });
}

/**
 * For every later connection of this role to this database: a pooler drops what a session sets, and refuses most of
 * what a connection asks for at its start.
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
