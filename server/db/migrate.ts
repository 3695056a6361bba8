import { setTimeout as sleep } from 'node:timers/promises';
import { adoptVersion010, isFromVersion010 } from './adoption/public.ts';
import { postgres } from './driver.ts';
import { type Migration, type Phase, readMigrations } from './migration-files.ts';
import { type Applied, checkApplied, listApplied, pendingOf } from './migration-state.ts';
import { setTimeLimits } from './time-limits.ts';
import { withTransaction } from './transaction.ts';
import type { Db, Tx } from '../ports/database.ts';
import { VERSION } from '../version.ts';

// An arbitrary number. Every process that migrates takes the lock with this number.
const LOCK = 7_266_427;
/** A statement that waits for a table's lock blocks all later statements on the table, so it waits only for this long. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUTS = new Set(['55P03', '40P01']);
/** With the pauses, a migration tries for about two minutes to get its locks. */
const TRIES = 40;
const PAUSE_MS = 1_000;
/** How often a process looks whether another one has ended its migration. */
const LOOK_MS = 50;

export type MigrateOptions = {
  phase?: Phase;
  /** The last file to apply. Tests use it to build the database of an older version. */
  last?: string;
  /** For tests: another folder of migrations, another version of the code, and a shorter pause between two tries. */
  folder?: string;
  version?: string;
  pauseMs?: number;
};

/**
 * Applies the missing migrations of a phase, each in a transaction of its own. A database of version 0.1.0 is adopted first
 * (`adoption/`). Only one process applies a migration at a time: the transaction holds an advisory lock, so the lock works
 * behind a pooler and ends with a killed process. Another process, or the next start, goes on where a killed one stopped.
 *
 * A migration that waits too long for a lock is tried again. A `concurrently` migration runs outside of a transaction, so it
 * needs a second connection of the pool.
 *
 * @returns the names of the files that this call applied
 * @throws Error when this code may not use the database (`checkApplied`), or when the database cannot be adopted
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(options.folder);
  const done: string[] = [];
  for (let tries = 1; ;) {
    try {
      const name = await underLock(db, (tx) => applyNext(db, tx, files, options));
      if (name === null) return done;
      done.push(name);
      tries = 1;
    } catch (error) {
      if (!waitedTooLong(error) || tries === TRIES) throw error;
      tries += 1;
      await sleep(options.pauseMs ?? PAUSE_MS);
    }
  }
}

/**
 * Returns the missing migrations of a phase, in the order in which `migrate` applies them. Changes nothing.
 *
 * @throws Error when this code may not use the database
 */
export async function planMigrations(db: Db, options: MigrateOptions = {}): Promise<Migration[]> {
  const files = await readMigrations(options.folder);
  const applied = await listApplied(db);
  if (isFromVersion010(applied)) return pendingOf([], files, options.phase ?? 'all');
  checkApplied(applied, files, options.version ?? VERSION);
  return pendingOf(applied, files, options.phase ?? 'all');
}

/** Sets the time limits of this role, as `migrate` does, for a process that applies no migration. */
export async function limitTimes(db: Db): Promise<void> {
  await underLock(db, setTimeLimits);
}

const BUSY = Symbol('another process migrates');

/**
 * Runs `work` in a transaction that holds the lock of migrations. It tries the lock at intervals and does not wait for
 * it in PostgreSQL: a waiting statement would block an index that another process builds `concurrently`, and that index
 * would block the lock.
 */
async function underLock<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (;;) {
    const result = await withTransaction(db, async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local idle_in_transaction_session_timeout = 0`;
      const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as taken`;
      return lock?.taken ? await work(tx) : BUSY;
    });
    if (result !== BUSY) return result;
    await sleep(LOOK_MS);
  }
}

/** Applies one migration; returns its name, or null if none is missing. */
async function applyNext(db: Db, tx: Tx, files: Migration[], options: MigrateOptions): Promise<string | null> {
  const applied = await adopted(tx, files);
  checkApplied(applied, files, options.version ?? VERSION);
  const { last, phase = 'all' } = options;
  const [next] = pendingOf(applied, files, phase).filter(({ name }) => last === undefined || name <= last);
  if (!next) {
    await setTimeLimits(tx);
    return null;
  }
  if (next.concurrently) {
    // PostgreSQL keeps the snapshot of the last query until the next one, and an index waits for old snapshots. A simple
    // query keeps none.
    await tx`select`.simple();
    await applyConcurrently(db, next);
  } else {
    await tx.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await tx.unsafe(next.sql);
  }
  await record(tx, next);
  return next.name;
}

async function adopted(tx: Tx, files: Migration[]): Promise<Applied[]> {
  const [found] = await tx`select to_regclass('migrations') is null as missing`;
  if (found?.['missing'])
    await tx`create table migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  const applied = await listApplied(tx);
  if (!isFromVersion010(applied)) return applied;
  await adoptVersion010(tx, applied, files);
  return await listApplied(tx);
}

/** The columns of the kind exist since the first file that has one. */
async function record(tx: Tx, { name, hash, kind, lowestCode }: Migration): Promise<void> {
  if (kind === null) await tx`insert into migrations (name, hash) values (${name}, ${hash})`;
  else
    await tx`
      insert into migrations (name, hash, kind, lowest_code) values (${name}, ${hash}, ${kind}, ${lowestCode})`;
}

const CREATED_INDEX = /create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;

/** Runs the file's one statement. A try that failed leaves an invalid index, which the next one removes first. */
async function applyConcurrently(db: Db, { name, sql }: Migration): Promise<void> {
  if (db.options.max < 2) throw new Error(`migration ${name} needs a pool of two connections`);
  const index = CREATED_INDEX.exec(sql)?.[1];
  if (index !== undefined) {
    const invalid = await db`select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
    if (invalid.length > 0) await db`drop index concurrently if exists ${db(index)}`.simple();
  }
  await db.unsafe(sql);
}

function waitedTooLong(error: unknown): boolean {
  return error instanceof postgres.PostgresError && LOCK_TIMEOUTS.has(error.code);
}
