import { createEventLoopLoad } from '../../outbound/public.ts';
import type { ShardGroup } from './shards.ts';

/**
 * A delivery is overdue after this multiple of the time that deliveries take at the moment: on a busy machine, all of them
 * take long. With 3, 500 silent endpoints of 1,000 delayed the others by a factor of 1.6; with 2, by 1.4.
 */
const OVERDUE_FACTOR = 2;
/** Longer than a pause of the garbage collector. */
const MIN_OVERDUE_MS = 50;
const MAX_OVERDUE_MS = 1_000;
/** The weight of one delivery in the moving average of durations. */
const WEIGHT = 0.05;
/** Below this width, the process would idle while it waits for responses and for commits of some milliseconds. */
const MIN_WIDTH = 64;
/** Event-loop utilization above which more concurrency only adds queueing. */
const BUSY = 0.9;
const WIDEN = 1.25;
const NARROW = 0.9;

/** One first delivery in flight. */
export type Slot = { startedAt: number };

type Limits = {
  /** The largest width. */
  slots: number;
  /** How many overdue deliveries may be in flight beyond the width. They cost memory but no CPU. */
  parked: number;
  uncommitted: number;
};

/**
 * Limits the first deliveries of this process. The width follows the load: slow responses leave time for more deliveries,
 * while TLS handshakes fill the processor with a few. With 256 handshakes at once, each took half a second and looked like
 * a silent endpoint; 32 at once had the same throughput. An overdue delivery is parked: it no longer counts toward the
 * width, so silent endpoints do not block others.
 */
export class FirstDeliveryLimits {
  /** While shards of priority are being started, starters are not. */
  priorityFirst = false;
  readonly #limits: Limits;
  readonly #width: AdaptiveWidth;
  /** Slots within the width, oldest first. */
  readonly #slots = new Set<Slot>();
  #parked = 0;
  #uncommitted = 0;
  #averageMs = MAX_OVERDUE_MS / OVERDUE_FACTOR;
  readonly #listeners = new Set<() => void>();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#width = new AdaptiveWidth(limits.slots);
  }

  get inFlight(): number {
    return this.#slots.size + this.#parked;
  }

  /** Whether outcomes must be written before another delivery may start. */
  get isFull(): boolean {
    return this.#uncommitted >= this.#limits.uncommitted;
  }

  hasRoom(group: ShardGroup): boolean {
    if (this.isFull || (group === 'starters' && this.priorityFirst)) return false;
    if (this.#slots.size < this.#width.current) return this.#parked < this.#limits.parked;
    this.#parkOverdue();
    this.#width.adapt();
    return this.#slots.size < this.#width.current && this.#parked < this.#limits.parked;
  }

  start(): Slot {
    const slot = { startedAt: performance.now() };
    this.#slots.add(slot);
    return slot;
  }

  end(slot: Slot, ok: boolean): void {
    if (!this.#slots.delete(slot)) this.#parked -= 1;
    if (ok) {
      const tookMs = Math.min(performance.now() - slot.startedAt, MAX_OVERDUE_MS);
      this.#averageMs += WEIGHT * (tookMs - this.#averageMs);
    }
    this.notify();
  }

  isOverdue({ startedAt }: Slot): boolean {
    const afterMs = Math.min(Math.max(OVERDUE_FACTOR * this.#averageMs, MIN_OVERDUE_MS), MAX_OVERDUE_MS);
    return performance.now() - startedAt > afterMs;
  }

  /** Counts deliveries without a written outcome: a killed process leaves at most this many to be sent again. */
  addUncommitted(): void {
    this.#uncommitted += 1;
  }

  removeUncommitted(count: number): void {
    this.#uncommitted -= count;
    this.notify();
  }

  /** Calls the listener whenever there may be room again. Returns a function that ends this. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #parkOverdue(): void {
    for (const slot of this.#slots) {
      // Slots are sorted by start time, so stop at the first one that is not overdue.
      if (!this.isOverdue(slot)) return;
      this.#slots.delete(slot);
      this.#parked += 1;
    }
  }
}

/** How many deliveries may be in flight, between MIN_WIDTH and a maximum, by the load of the process. */
class AdaptiveWidth {
  readonly #max: number;
  readonly #min: number;
  readonly #load = createEventLoopLoad();
  #width: number;

  constructor(max: number) {
    this.#max = max;
    this.#min = Math.min(max, MIN_WIDTH);
    this.#width = this.#min;
  }

  get current(): number {
    return Math.floor(this.#width);
  }

  /** Adapts at most once per interval of the load. Call it when the whole width is in use. */
  adapt(): void {
    if (!this.#load.measure()) return;
    if (this.#load.utilization() > BUSY) this.#width = Math.max(this.#width * NARROW, this.#min);
    else this.#width = Math.min(this.#width * WIDEN, this.#max);
  }
}
