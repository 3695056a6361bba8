import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Breaker, Queryable } from './database.ts';
import { createPool } from './pool.ts';

/** The pause between two probes while the database is down. */
const PAUSE_MS = 200;
/** For how long `answers` believes a success. */
const FRESH_MS = 1_000;

/** `ask` rejects if the database cannot serve. While the breaker is open, one probe follows another until one succeeds. */
export function createBreaker(ask: () => Promise<void>, log: Pick<Logger, 'error' | 'info'>): Breaker {
  let open = false;
  let stopped = false;
  let answeredAt = -Infinity;
  let asking: Promise<boolean> | null = null;
  let next: NodeJS.Timeout | null = null;
  async function askOnce(): Promise<boolean> {
    const failure = await ask().catch((err: unknown) => ({ err }));
    const answers = failure === undefined;
    asking = null;
    if (!answers && !open) log.error(failure, 'the database cannot serve, so requests are refused');
    if (answers && open) log.info('the database serves again');
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

/** @throws Error if the database takes no writes: it is in recovery, or somebody made it read-only */
export async function requireWrites(db: Queryable): Promise<void> {
  const [row] = await db<{ serves: boolean }[]>`select current_setting('transaction_read_only') = 'off' as serves`;
  if (row?.serves !== true) throw new Error('the database takes no writes');
}

/**
 * Returns a function that asks the database on a new connection, because a connection of a pool may wait behind a slow
 * statement. A busy database is not down: without a free connection (53300), the pools still have theirs.
 */
export function askDatabase(url: string): () => Promise<void> {
  return async () => {
    const db = createPool({ url, connections: 1, prepare: false });
    try {
      await inTurns(requireWrites(db));
    } catch (error) {
      if ((error as { code?: unknown }).code !== '53300') throw error;
    } finally {
      void db.end({ timeout: 0 });
    }
  };
}

/** Settles with `work`, or rejects after 2 s of turns. While the process is too busy to read an answer, no turn passes. */
async function inTurns(work: Promise<void>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1)
    if ((await Promise.race([work, sleep(TURN_MS, null, { ref: false })])) !== null) return;
  throw new Error('no answer in time');
}
