import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../context.ts';
import { withTransaction } from './transaction.ts';

const FOLDER = join(import.meta.dirname, '..', 'migrations');
// Any constant: whoever migrates this service takes the same lock.
const LOCK = 7_266_427;

type Migration = { name: string; sql: string; hash: string };

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
    const applied = new Map((await tx<{ name: string; hash: string }[]>`select name, hash from migrations`).map((row) => [row.name, row.hash]));
    const fresh: string[] = [];
    for (const file of files) {
      const known = applied.get(file.name);
      if (known === file.hash) continue;
      if (known !== undefined) throw new Error(`migration ${file.name} was changed after it was applied`);
      await tx.unsafe(file.sql);
      await tx`insert into migrations (name, hash) values (${file.name}, ${file.hash})`;
      fresh.push(file.name);
    }
    return fresh;
  });
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
