import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../../db/public.ts';
import { createAttempts } from './delivery-attempt.ts';
import { PART_LEASE_MS, runFanOut } from './fan-out-part.ts';
import { createFirstLane } from './concurrency.ts';
import { createNetworkCaps } from './network-slots.ts';
import { keepPartitions } from './partitions.ts';
import { createRetryLanes } from './retry-lane.ts';
import type { SenderDeps, SenderParts } from './shared-parts.ts';
import { claimFanOut, lookForWork } from './sender-queries.ts';
import { createSettler } from './outcome-writer.ts';

const PER_NETWORK = 8;
/** As many are sent twice when the process is killed: as large as one batch. */
const UNCOMMITTED = 500;
/** Sockets that wait for a slow answer, beyond those of the pool, in multiples of it. */
const PARKED = 4;
/** Parts of fan-outs that wait for nothing but answers. */
const MOST_TAILS = 16;
const LOOK_MS = 250;
const AFTER_ERROR_MS = 1_000;
const EAGER_LOOK_MS = 20;
const EAGER_LOOKS = 5;

const WORKS = ['priority', 'starters', 'retry', 'slow'] as const;
type Work = (typeof WORKS)[number];

export type Sender = {
  /** Looks for something to do now and a few times more: who calls may still be in the transaction that made it. */
  wake(): void;
  /** Sends what is due now; false when nothing was. What follows from it at once may be due afterwards. */
  runOnce(): Promise<boolean>;
  start(): void;
  /** Starts nothing more; ends when what is under way has its outcome. */
  stop(): Promise<void>;
  /** Of this process: attempts since its start by outcome, and what is under way by lane. */
  figures(): { attempts: ReadonlyMap<string, number>; inFlight: { first: number; retry: number; slow: number } };
};

/**
 * Delivers events to webhooks. Three lanes, none of which waits for another: first attempts along the cursors of fan-outs,
 * retries, and endpoints that are slow. Everything is claimed by leases, so any number of processes share the work, and
 * one that is killed leaves at most its window of first attempts to be made again.
 */
export function createSender(deps: SenderDeps): Sender {
  const { parts, lanes, stopping, outlasting } = createParts(deps);
  const runFanOuts = createFanOuts(parts);
  const running = new Map<Work, Promise<void>>();
  let looping: Promise<void> | null = null;
  let eager = 0;
  let rouse: () => void = () => {};

  function run(work: Work): void {
    if (running.has(work)) return;
    const ran = (work === 'retry' || work === 'slow' ? lanes.run(work) : runFanOuts(work))
      .catch((error: unknown) => deps.log.error({ err: error, lane: work }, 'sending webhooks failed'))
      .finally(() => running.delete(work));
    running.set(work, ran);
  }

  async function look(): Promise<boolean> {
    const due = await lookForWork(deps.db, deps.clock.now());
    for (const work of WORKS) if (due[work]) run(work);
    return WORKS.some((work) => due[work]);
  }

  async function loop(): Promise<void> {
    await keepPartitions(deps, stopping.signal).catch((error: unknown) =>
      deps.log.error({ err: error }, 'the partitions of webhook attempts could not be looked at'),
    );
    while (!stopping.signal.aborted) {
      let pauseMs = eager-- > 0 ? EAGER_LOOK_MS : LOOK_MS;
      if (running.size < WORKS.length)
        await look().catch((error: unknown) => {
          pauseMs = AFTER_ERROR_MS;
          deps.log.error({ err: error }, 'looking for webhooks to send failed');
        });
      const waiting = new AbortController();
      rouse = () => waiting.abort();
      const signal = AbortSignal.any([stopping.signal, waiting.signal]);
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async function idle(): Promise<void> {
    while (running.size + outlasting.size > 0) await Promise.allSettled([...running.values(), ...outlasting]);
    await lanes.drain();
    await parts.settler.drain();
  }

  return {
    wake() {
      eager = EAGER_LOOKS;
      rouse();
    },
    async runOnce() {
      const found = await look();
      await idle();
      return found;
    },
    start() {
      looping ??= loop();
    },
    async stop() {
      stopping.abort();
      await looping;
      await idle();
    },
    figures: () => ({
      attempts: parts.attempts.counts,
      inFlight: { first: parts.lane.inFlight(), retry: lanes.inFlight('retry'), slow: lanes.inFlight('slow') },
    }),
  };
}

function createParts(deps: SenderDeps) {
  const { webhooks } = deps.config;
  const stopping = new AbortController();
  const outlasting = new Set<Promise<unknown>>();
  // Each of the two other lanes has at most a quarter of the pool.
  const quarter = Math.max(1, Math.floor(webhooks.pool / 4));
  const bounds = { slots: Math.max(1, webhooks.pool - 2 * quarter), parked: PARKED * webhooks.pool };
  const parts: SenderParts = {
    deps,
    attempts: createAttempts(deps, createNetworkCaps(PER_NETWORK)),
    lane: createFirstLane({ ...bounds, uncommitted: UNCOMMITTED }),
    settler: createSettler(deps),
    busy: new Set(),
    stopping: stopping.signal,
    track(work) {
      outlasting.add(work);
      work.then(
        () => outlasting.delete(work),
        (error: unknown) => {
          outlasting.delete(work);
          deps.log.error({ err: error }, 'sending a webhook failed');
        },
      );
    },
  };
  return { parts, stopping, outlasting, lanes: createRetryLanes(parts, quarter) };
}

/** One part after the other; the next begins when all of one was started. */
function createFanOuts(parts: SenderParts): (which: 'priority' | 'starters') => Promise<void> {
  const { deps, lane, stopping } = parts;
  const tails = new Set<Promise<void>>();

  async function startNext(which: 'priority' | 'starters'): Promise<boolean> {
    if (tails.size >= MOST_TAILS) await Promise.race(tails);
    const now = deps.clock.now();
    const token = deps.newId();
    const lease = { token, now, until: new Date(now.getTime() + PART_LEASE_MS) };
    const claimed = await withTransaction(deps.db, (tx) => claimFanOut(tx, lease, which));
    if (!claimed) return false;
    const { started, ended } = runFanOut(parts, claimed, token);
    const tail: Promise<void> = ended.finally(() => tails.delete(tail));
    tails.add(tail);
    parts.track(tail);
    await started;
    return !stopping.aborted;
  }

  return async (which) => {
    lane.priorityFirst ||= which === 'priority';
    try {
      while (await startNext(which));
    } finally {
      if (which === 'priority') lane.priorityFirst = false;
      lane.tell();
    }
  };
}
