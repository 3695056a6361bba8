import type { Breaker } from '../ports/database.ts';
import { createPool } from './pool.ts';

// A probe waits for this many turns of a timer, 2 s in all. While the process is too busy to read an answer, no turn passes.
const PROBE_TURNS = 8;
const TURN_MS = 250;
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

/**
 * Returns a function that asks the database on a new connection. A connection of a pool may wait behind a slow
 * statement, and a busy database is not down. A database in recovery cannot take writes, so it cannot serve.
 */
export function askDatabase(url: string): () => Promise<boolean> {
  return async () => {
    const db = createPool({ url, connections: 1, prepare: false });
    const late = Promise.withResolvers<boolean>();
    let turns = 0;
    const timer = setInterval(() => (turns += 1) === PROBE_TURNS && late.resolve(false), TURN_MS);
    const asked = db<{ serves: boolean }[]>`select not pg_is_in_recovery() as serves`.then(
      ([row]) => row?.serves === true,
      () => false,
    );
    try {
      return await Promise.race([asked, late.promise]);
    } finally {
      clearInterval(timer);
      void db.end({ timeout: 0 });
    }
  };
}
