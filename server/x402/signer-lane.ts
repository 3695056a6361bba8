import { setTimeout as sleep } from 'node:timers/promises';
import { giveBackLane, takeLane } from './lane-queries.ts';
import type { Db } from '../ports/database.ts';

// Longer than a held lane can last: HOLD_MS, the nonce read anew (twice 5 s) and one broadcast of at most 5 s.
const LEASE_SECONDS = 20;
const HOLD_MS = 2_000;
const RETRY_MS = 15;
/** So long the lane is held for a broadcast that is expected: longer than a claim takes, and nothing to those who wait. */
const EXPECT_MS = 50;
// A queue that long means that the lane is stuck; callers learn it before their clients give up.
const MAX_QUEUE = 500;

/** One broadcast at a time per key, whoever the processes are. */
export type SignerLane = {
  /**
   * Runs `broadcast` alone with the account's next nonce. When it throws, the nonce is read anew before the next one.
   * Not before it is `wanted`; the lane is taken meanwhile. Rejects as that does.
   */
  run<T>(broadcast: (nonce: number) => Promise<T>, wanted?: Promise<void> | null): Promise<T>;
};

type Job = { run(nonce: number): Promise<boolean>; refuse(error: unknown): void };

/**
 * Concurrent broadcasts from one key lose payments: 24 of 80 went through with plain viem, 80 of 80 through one lane.
 * Across processes the lane is a lease in the database, held while there is a queue, for at most 2 s at a stretch.
 * While it is held the nonce is counted here; it is read from the chain each time the lane is taken.
 */
export function createSignerLane(options: {
  db: Db;
  address: string;
  /** Names this process. */
  holder: string;
  /** The account's next nonce, pending transactions included. */
  readNonce: () => Promise<number>;
  /** How long at a stretch. */
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
        // Who took it again at once would keep it from processes that ask every 15 ms: ten times out of eleven.
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

  function addWhen(wanted: Promise<void>, job: Job): void {
    const added = wanted.then(() => add(job), job.refuse);
    const arrival: Promise<unknown> = Promise.race([added, sleep(EXPECT_MS, undefined, { ref: false })]);
    expected.add(arrival);
    void arrival.then(() => expected.delete(arrival));
    void pump();
  }

  return {
    run<T>(broadcast: (nonce: number) => Promise<T>, wanted: Promise<void> | null = null) {
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
      if (wanted) addWhen(wanted, job);
      else add(job);
      return promise;
    },
  };
}

/** Whatever is queued, and what is expected to be soon. */
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
      // The nonce is read meanwhile. Where that fails, it is read again when there is somebody to tell.
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
