import { setTimeout as sleep } from 'node:timers/promises';
import { giveBackLane, takeLane } from './lane-queries.ts';
import type { Db } from '../ports/database.ts';

// Longer than a process can hold the lane: HOLD_MS, two reads of the nonce (5 s each), and one broadcast (5 s).
const LEASE_SECONDS = 20;
const HOLD_MS = 2_000;
const RETRY_MS = 15;
/** How long the lane is reserved for an expected broadcast. Longer than a claim takes, short enough for waiters. */
const EXPECT_MS = 50;
// A longer queue means that the lane is stuck. Callers learn it before their clients time out.
const MAX_QUEUE = 500;

/** Serializes the broadcasts of one key, across processes. */
export type SignerLane = {
  /**
   * Runs `broadcast` alone, with the account's next nonce. When it throws, the next broadcast reads the nonce again. With
   * `released`, the broadcast waits for that promise while the lane is taken, and rejects when the promise rejects.
   */
  run<T>(broadcast: (nonce: number) => Promise<T>, released?: Promise<void> | null): Promise<T>;
};

type Job = { run(nonce: number): Promise<boolean>; refuse(error: unknown): void };

/**
 * Creates the lane of one key. Without it, concurrent broadcasts from one key lose payments (docs/decisions/0011). Across
 * processes the lane is a lease in the database. A process holds it while its queue lasts, for 2 s at most. It reads the
 * nonce from the chain when it takes the lane, and counts it while it holds the lane.
 */
export function createSignerLane(options: {
  db: Db;
  address: string;
  /** Names this process among those that share the key. */
  holder: string;
  /** The account's next nonce, pending transactions included. */
  readNonce: () => Promise<number>;
  /** How long the lane is held at most. */
  holdMs?: number;
}): SignerLane {
  const { db, address, holder, readNonce, holdMs = HOLD_MS } = options;
  const queue: Job[] = [];
  const expected = new Set<Promise<unknown>>();
  let pumping = false;

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    try {
      while (queue.length > 0 || expected.size > 0) {
        while (!(await takeLane(db, address, holder, LEASE_SECONDS))) await sleep(RETRY_MS);
        await runQueued({ queue, expected }, readNonce, holdMs);
        const cutShort = queue.length > 0 || expected.size > 0;
        await giveBackLane(db, address, holder);
        // Taking the lane again at once would starve other processes, which poll every 15 ms (10 of 11 times).
        if (cutShort) await sleep(2 * RETRY_MS);
      }
    } catch (error) {
      for (const job of queue.splice(0)) job.refuse(error);
    } finally {
      pumping = false;
    }
  }

  function add(job: Job): void {
    queue.push(job);
    void pump();
  }

  function addWhen(released: Promise<void>, job: Job): void {
    const added = released.then(() => add(job), job.refuse);
    const arrival: Promise<unknown> = Promise.race([added, sleep(EXPECT_MS, undefined, { ref: false })]);
    expected.add(arrival);
    void arrival.then(() => expected.delete(arrival));
    void pump();
  }

  return {
    run<T>(broadcast: (nonce: number) => Promise<T>, released: Promise<void> | null = null) {
      if (queue.length >= MAX_QUEUE) return Promise.reject(new Error('too many payments are waiting to be broadcast'));
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const run = async (nonce: number) => {
        const sent = broadcast(nonce);
        sent.then(resolve, reject);
        return await sent.then(
          () => true,
          () => false,
        );
      };
      const job = { run, refuse: reject };
      if (released) addWhen(released, job);
      else add(job);
      return promise;
    },
  };
}

/** Runs the queued broadcasts, and waits for those that are expected soon. */
async function runQueued(
  { queue, expected }: { queue: Job[]; expected: Set<Promise<unknown>> },
  readNonce: () => Promise<number>,
  holdMs: number,
): Promise<void> {
  const held = AbortSignal.timeout(holdMs);
  let nonce: number | null = null;
  async function next(): Promise<Job | undefined> {
    if (held.aborted) return undefined;
    while (queue.length === 0 && expected.size > 0 && !held.aborted) {
      // Reads the nonce meanwhile. When that fails, the next job reads it again and gets the error.
      const [read] = await Promise.all([nonce ?? readNonce().catch(() => null), Promise.race(expected)]);
      nonce = read;
    }
    return queue.shift();
  }
  for (let job = await next(); job; job = await next()) {
    try {
      nonce ??= await readNonce();
    } catch (error) {
      job.refuse(error);
      continue;
    }
    nonce = (await job.run(nonce)) ? nonce + 1 : null;
  }
}
