import { setTimeout as sleep } from 'node:timers/promises';
import type { Breaker } from './database.ts';
import { createPool } from './pool.ts';

/** The pause between two probes while the database is down. */
const PAUSE_MS = 200;
/** For how long `answers` believes a success. */
const FRESH_MS = 1_000;

/** While the breaker is open, one probe follows another until one succeeds. */
export function createBreaker(ask: () => Promise<boolean>): Breaker {
  let open = false;
  let stopped = false;
  let answeredAt = -Infinity;
  let asking: Promise<boolean> | null = null;
  let next: NodeJS.Timeout | null = null;
  async function askOnce(): Promise<boolean> {
    const answers = await ask().catch(() => false);
    asking = null;
    open = !answers;
    if (answers) answeredAt = performance.now();
    if (next) clearTimeout(next);
    next = open && !stopped ? setTimeout(() => void probe(), PAUSE_MS).unref() : null;
    return answers;
  }
  const probe = () => (asking ??= askOnce());
  return {
    isOpen: () => open,
    probe,
    answers: async () => performance.now() - answeredAt < FRESH_MS || (await probe()),
    stop() {
      stopped = true;
      if (next) clearTimeout(next);
    },
  };
}

/** The database does not answer, or it did not answer a request within 5 s. */
export class DatabaseDown extends Error {
  constructor() {
    super('the database does not answer');
    this.name = 'DatabaseDown';
  }
}

/** @throws DatabaseDown while the breaker is open */
export function requireDatabase(breaker: Pick<Breaker, 'isOpen'>): void {
  if (breaker.isOpen()) throw new DatabaseDown();
}

const TURN_MS = 250;
const TURNS = 8;

/**
 * Returns a function that asks the database on a new connection, because a connection of a pool may wait behind a slow
 * statement. A busy database is not down. A database in recovery cannot take writes, so it cannot serve.
 */
export function askDatabase(url: string): () => Promise<boolean> {
  return async () => {
    const db = createPool({ url, connections: 1, prepare: false });
    try {
      const [row] = await inTurns(db<{ serves: boolean }[]>`select not pg_is_in_recovery() as serves`);
      return row?.serves === true;
    } catch {
      return false;
    } finally {
      void db.end({ timeout: 0 });
    }
  };
}

/** Settles with `work`, or rejects after 2 s of turns. While the process is too busy to read an answer, no turn passes. */
async function inTurns<T extends object>(work: PromiseLike<T>): Promise<T> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const answer = await Promise.race([work, sleep(TURN_MS, null, { ref: false })]);
    if (answer !== null) return answer;
  }
  throw new Error('no answer in time');
}
