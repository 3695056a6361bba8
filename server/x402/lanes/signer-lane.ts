import { setTimeout as sleep } from 'node:timers/promises';
import type { BroadcastQueue, QueuedCall } from './broadcast-queue.ts';
import { giveBackLane, renewLane, takeLane } from './lane-queries.ts';
import type { Db } from '../../db/database.ts';

// Behind a pooler, payments wait for this long after the holder was killed. A holder whose node is slow renews the lease.
const LEASE_SECONDS = 5;
const RENEW_MS = 1_500;
const HOLD_MS = 2_000;
const RETRY_MS = 15;

/** The outcome of handing a transaction to the node. */
export type Broadcast<Sent> =
  | { kind: 'sent'; results: Sent[] }
  /** The node refused it, so nothing was broadcast. The calls can go out again. */
  | { kind: 'refused'; error: unknown }
  /** This key cannot pay the gas, so nothing was broadcast. Another key takes the calls, and this lane `rests`. */
  | { kind: 'no gas'; error: unknown }
  /** It may have been broadcast. */
  | { kind: 'unknown'; error: unknown };

export type LaneOptions<Call, Sent> = {
  db: Db;
  address: string;
  /** Names this process among those that share the key. */
  holder: string;
  queue: BroadcastQueue<Call, Sent>;
  /** The account's next nonce, pending transactions included. */
  readNonce: () => Promise<number>;
  /** Broadcasts the calls in one transaction. */
  broadcast: (nonce: number, calls: Call[]) => Promise<Broadcast<Sent>>;
  /** Whether the key has no gas, and another key has. Default: never. */
  rests?: () => boolean;
  /** Whether a pooler stands before the database, see `takeLane`. Default: no. */
  pooled?: boolean;
  /** How long the lane is held at most. */
  holdMs?: number;
};

/**
 * Creates the lane of one key, which takes calls from the queue. Without it, concurrent broadcasts from one key lose
 * payments (docs/decisions.md, 5). Across processes the lane is a lease in the database. A process holds it while the queue
 * lasts, for 2 s at most. It reads the nonce from the chain when it takes the lane, and counts it while it holds the lane.
 */
export function joinLane<Call, Sent>(options: LaneOptions<Call, Sent>): void {
  const { db, address, holder, queue, rests = () => false, pooled = false, holdMs = HOLD_MS } = options;
  let state: 'idle' | 'free' | 'busy' = 'idle';

  async function pump(): Promise<void> {
    state = 'free';
    try {
      while (queue.hasWork() && !rests()) {
        while (!(await takeLane(db, address, holder, LEASE_SECONDS, pooled))) {
          // Another process holds this key: a lane of another key may take the calls.
          state = 'busy';
          queue.poke();
          await sleep(RETRY_MS);
        }
        state = 'free';
        const renewals = keepLane(options);
        try {
          await runQueued(options, holdMs, (now) => {
            state = now;
          });
        } finally {
          await renewals.end();
        }
        const cutShort = queue.hasWork();
        state = 'busy';
        await giveBackLane(db, address, holder);
        // Taking the lane again at once would starve other processes, which poll every 15 ms (10 of 11 times).
        if (cutShort) await sleep(2 * RETRY_MS);
        state = 'free';
      }
    } catch (error) {
      queue.refuseAll(error);
    } finally {
      state = 'idle';
      // A call may have come while the lane was given back.
      if (queue.hasWork()) queue.poke();
    }
  }

  queue.join({
    state: () => state,
    rests,
    wake: () => void pump(),
  });
}

/** Renews the lease until `end`, which resolves when no renewal is under way any more. */
function keepLane<Call, Sent>({ db, address, holder }: LaneOptions<Call, Sent>): { end(): Promise<void> } {
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    // Without the database, the lease runs out. The node refuses one of two broadcasts with the same nonce.
    renewing = renewLane(db, address, holder, LEASE_SECONDS).catch(() => {});
  }, RENEW_MS).unref();
  return {
    async end() {
      clearInterval(timer);
      await renewing;
    },
  };
}

/** Broadcasts what is queued, and waits for calls that are expected soon. */
async function runQueued<Call, Sent>(
  { queue, readNonce, broadcast, rests = () => false }: LaneOptions<Call, Sent>,
  holdMs: number,
  become: (state: 'free' | 'busy') => void,
): Promise<void> {
  const held = AbortSignal.timeout(holdMs);
  let nonce: number | null = null;
  async function next(): Promise<QueuedCall<Call, Sent>[]> {
    if (held.aborted || rests()) return [];
    // Reads the nonce meanwhile. When that fails, the next broadcast reads it again and gets the error.
    const arrival = queue.arrival(held);
    if (nonce === null) nonce = await readNonce().catch(() => null);
    await arrival;
    return held.aborted ? [] : await queue.take();
  }
  for (let jobs = await next(); jobs.length > 0; jobs = await next()) {
    become('busy');
    try {
      nonce ??= await readNonce();
    } catch (error) {
      for (const job of jobs) job.refuse(error);
      become('free');
      continue;
    }
    const calls = jobs.map(({ call }) => call);
    const outcome = await broadcast(nonce, calls);
    nonce = outcome.kind === 'sent' ? nonce + 1 : null;
    become('free');
    if (outcome.kind === 'sent') for (const [index, result] of outcome.results.entries()) jobs[index]?.sent(result);
    else if (outcome.kind === 'unknown') for (const job of jobs) job.refuse(outcome.error);
    else queue.putBack(jobs, outcome.kind === 'refused' ? outcome.error : null);
  }
}
