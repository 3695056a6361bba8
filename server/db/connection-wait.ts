import type { Db } from '../ports/database.ts';

/** The transactions of one pool that wait for a connection, oldest first, and the number of those that have one. */
type Demand = { waiting: Set<{ since: number }>; running: number };

const demands = new WeakMap<Db, Demand>();

/** A transaction of a pool: `started` once it has its connection, `ended` in any case. */
type TrackedTransaction = { started(): void; ended(): void };

/** Counts a transaction from the moment it asks for a connection. */
export function trackTransaction(db: Db): TrackedTransaction {
  const demand = demands.get(db) ?? { waiting: new Set(), running: 0 };
  demands.set(db, demand);
  const own = { since: performance.now() };
  let isRunning = false;
  demand.waiting.add(own);
  return {
    started() {
      isRunning = demand.waiting.delete(own);
      if (isRunning) demand.running += 1;
    },
    ended() {
      demand.waiting.delete(own);
      if (isRunning) demand.running -= 1;
      isRunning = false;
    },
  };
}

/**
 * Returns how long the oldest transaction has been waiting for a connection while transactions hold all of them. Without
 * a database nobody holds one, so the result is 0: those requests fail by themselves and say why.
 */
export function connectionWaitMs(db: Db): number {
  const demand = demands.get(db);
  const [oldest] = demand?.waiting ?? [];
  return demand && oldest && demand.running >= db.options.max ? performance.now() - oldest.since : 0;
}
