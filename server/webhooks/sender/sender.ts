import { setTimeout as sleep } from 'node:timers/promises';
import { FirstDeliveryLimits } from './concurrency.ts';
import { DeliveryAttempts } from './delivery-attempt.ts';
import { FanOutLane } from './fan-out-lane.ts';
import { NetworkSlots } from './network-slots.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { keepPartitions } from './partitions.ts';
import { EventCache, RetryLane } from './retry-lane.ts';
import { findDueWork } from './sender-queries.ts';
import { BackgroundWork, type SenderDeps, type SharedParts } from './shared-parts.ts';
import { startWaiting } from '../trials/public.ts';

const MAX_PER_NETWORK = 8;
/** One batch: a killed process leaves at most this many deliveries to be sent again. */
const MAX_UNCOMMITTED = 500;
/** Overdue deliveries beyond the pool, in multiples of it. */
const PARKED_POOLS = 4;
const POLL_MS = 250;
const POLL_AFTER_ERROR_MS = 1_000;

const WORK = ['priority', 'starters', 'retry', 'slow', 'trials'] as const;
type Work = (typeof WORK)[number];

/** Metrics of one process. */
export type SenderMetrics = {
  /** Attempts since the start of the process, by `delivered` or by failure. */
  attempts: ReadonlyMap<string, number>;
  /** Deliveries in flight, by lane. */
  inFlight: { first: number; retry: number; slow: number };
};

/**
 * Delivers events to webhooks in lanes that do not wait for each other: first deliveries along the cursors of fan-outs,
 * retries, and slow endpoints. Every claim is a lease, so any number of processes share the work. A killed process leaves
 * at most its window of first deliveries to be sent again.
 */
export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #stopping = new AbortController();
  readonly #parts: SharedParts;
  readonly #fanOuts: FanOutLane;
  readonly #retry: RetryLane;
  readonly #slow: RetryLane;
  readonly #running = new Map<Work, Promise<void>>();
  /** Work that became due while it was running, perhaps too late for that run. */
  readonly #dueAgain = new Set<Work>();
  #loop: Promise<void> | null = null;
  #wake = new AbortController();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    const { pool } = deps.config.webhooks;
    // The retry lane and the slow lane have a quarter of the pool each.
    const quarter = Math.max(1, Math.floor(pool / 4));
    const slots = Math.max(1, pool - 2 * quarter);
    this.#parts = {
      deps,
      attempts: new DeliveryAttempts(deps, new NetworkSlots(MAX_PER_NETWORK)),
      limits: new FirstDeliveryLimits({ slots, parked: PARKED_POOLS * pool, uncommitted: MAX_UNCOMMITTED }),
      outcomes: new OutcomeWriter(deps, () => this.wake()),
      busy: new Set(),
      stopping: this.#stopping.signal,
      background: new BackgroundWork(deps.log),
    };
    const events = new EventCache(deps.db);
    this.#fanOuts = new FanOutLane(this.#parts);
    this.#retry = new RetryLane(this.#parts, { name: 'retry', slots: quarter, events });
    this.#slow = new RetryLane(this.#parts, { name: 'slow', slots: quarter, events });
  }

  /** Polls now. Call it after the commit of what became due. */
  wake(): void {
    this.#wake.abort();
  }

  /** Sends what is due now. Returns false when nothing was due. Work that follows may be due afterwards. */
  async runOnce(): Promise<boolean> {
    const found = await this.#poll();
    await this.#idle();
    return found;
  }

  start(): void {
    this.#loop ??= this.#pollUntilStopped();
  }

  /** Starts nothing more, and resolves when every delivery in flight has its outcome. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#idle();
  }

  metrics(): SenderMetrics {
    const { attempts, limits } = this.#parts;
    return {
      attempts: attempts.counts,
      inFlight: { first: limits.inFlight, retry: this.#retry.inFlight, slow: this.#slow.inFlight },
    };
  }

  async #pollUntilStopped(): Promise<void> {
    const { log } = this.#deps;
    const { signal } = this.#stopping;
    await keepPartitions(this.#deps, signal).catch((error: unknown) =>
      log.error({ err: error }, 'the partitions of webhook attempts could not be checked'),
    );
    while (!signal.aborted) {
      let pauseMs = POLL_MS;
      this.#wake = new AbortController();
      await this.#poll().catch((error: unknown) => {
        pauseMs = POLL_AFTER_ERROR_MS;
        log.error({ err: error }, 'due webhooks could not be looked up');
      });
      const interrupted = AbortSignal.any([signal, this.#wake.signal]);
      await sleep(pauseMs, undefined, { signal: interrupted, ref: false }).catch(() => {});
    }
  }

  /** Starts the lanes that have work due. Returns false when none has. */
  async #poll(): Promise<boolean> {
    const due = await findDueWork(this.#deps.db, this.#deps.clock.now());
    for (const work of WORK) if (due[work]) this.#start(work);
    return WORK.some((work) => due[work]);
  }

  #start(work: Work): void {
    if (this.#running.has(work)) {
      this.#dueAgain.add(work);
      return;
    }
    const running = this.#run(work)
      .catch((error: unknown) => this.#deps.log.error({ err: error, lane: work }, 'sending webhooks failed'))
      .finally(() => {
        this.#running.delete(work);
        if (this.#dueAgain.delete(work) && !this.#stopping.signal.aborted) this.wake();
      });
    this.#running.set(work, running);
  }

  async #run(work: Work): Promise<void> {
    if (work === 'retry') await this.#retry.run();
    else if (work === 'slow') await this.#slow.run();
    else if (work === 'trials') await this.#startWaiting();
    else await this.#fanOuts.run(work);
  }

  async #startWaiting(): Promise<void> {
    await startWaiting(this.#deps, this.#stopping.signal);
    this.wake();
  }

  /** Resolves when nothing is in flight and every outcome is written. */
  async #idle(): Promise<void> {
    const { background, outcomes } = this.#parts;
    while (this.#running.size + background.running.size > 0)
      await Promise.allSettled([...this.#running.values(), ...background.running]);
    await Promise.all([this.#retry.drain(), this.#slow.drain()]);
    await outcomes.drain();
  }
}
