import { inTurns } from './in-turns.ts';
import { createPool } from './pool.ts';
import type { Db } from '../ports/database.ts';

/** 2 s. */
const TURNS = 8;

/**
 * Asks the server on a new connection, because a connection of a pool may wait behind a slow statement.
 *
 * @throws Error when the server does not answer within 2 s
 */
export async function askServer<T>(url: string, ask: (db: Db) => PromiseLike<T>): Promise<T> {
  const db = createPool({ url, connections: 1, prepare: false });
  try {
    return await inTurns(ask(db), TURNS);
  } finally {
    void db.end({ timeout: 0 });
  }
}

/** Returns those of the server processes that work on a statement now, and do not wait for their client. */
export async function workingProcesses(url: string, pids: number[]): Promise<Set<number>> {
  const rows = await askServer(
    url,
    (db) => db<{ pid: number }[]>`
      select pid from pg_stat_activity
      where pid = any(${pids}::integer[]) and state = 'active' and wait_event_type is distinct from 'Client'`,
  );
  return new Set(rows.map(({ pid }) => pid));
}
