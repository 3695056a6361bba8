import type { Breaker } from '../ports/database.ts';
import { askServer } from './ask-server.ts';

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

/**
 * Returns a function that asks the database on a new connection. A busy database is not down. A database in recovery cannot
 * take writes, so it cannot serve.
 */
export function askDatabase(url: string): () => Promise<boolean> {
  return async () => {
    const asked = askServer(url, (db) => db<{ serves: boolean }[]>`select not pg_is_in_recovery() as serves`);
    const [row] = await asked.catch(() => []);
    return row?.serves === true;
  };
}
