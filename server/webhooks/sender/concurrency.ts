import { createEventLoopLoad } from '../../outbound/public.ts';

// How long a delivery may take before it no longer counts as the usual: twice what others take at the moment, since on a
// busy machine everybody takes long. At least enough for a pause of the garbage collector. With three times, 500 endpoints
// of 1,000 that do not answer delayed the others by 1.6 times; with twice, by 1.4.
const TYPICAL_TIMES = 2;
const LEAST_PATIENCE_MS = 50;
const MOST_PATIENCE_MS = 1_000;
/** Of one delivery in the moving mean. */
const WEIGHT = 0.05;
/**
 * Where no more than these are under way, nothing is adapted: less would wait for answers, and for a database that takes some
 * milliseconds to write outcomes down, with nothing to do.
 */
const LEAST_SLOTS = 64;
/** Of the time, that the process was at work: above it more at once would only wait for each other. */
const BUSY = 0.9;
const MORE = 1.25;
const LESS = 0.9;

/** One first attempt that is under way. */
export type Slot = { startedAt: number };

/**
 * The bounds of first attempts in this process. There are as many slots as keep it busy, up to the limit: answers from far
 * away leave it time for more, while handshakes use it up with a few. 256 of those at once took half a second each where 32
 * were as fast in all, and looked like endpoints that do not answer. A slot is held by a delivery for as long as deliveries usually take; one
 * that takes longer is parked, a socket that waits and costs no work, so that endpoints that don't answer keep nobody from
 * being sent to. Parked ones have a bound of their own, for the memory's sake.
 */
export type FirstLane = {
  hasRoom(which: 'priority' | 'starters'): boolean;
  start(): Slot;
  end(slot: Slot, ok: boolean): void;
  isOverdue(slot: Slot): boolean;
  /** Deliveries whose outcome is in no table yet: as many are made twice when the process is killed. */
  uncommitted: number;
  /** Nothing more is started before something is written. */
  isFull(): boolean;
  /** Parts of priority are being claimed and started: nothing of the others is meanwhile. */
  priorityFirst: boolean;
  inFlight(): number;
  /** Called whenever there may be room again. */
  watchers: Set<() => void>;
  tell(): void;
};

export function createFirstLane(limits: { slots: number; parked: number; uncommitted: number }): FirstLane {
  const fresh = new Set<Slot>();
  const width = createWidth(limits.slots);
  let parked = 0;
  let typicalMs = MOST_PATIENCE_MS / TYPICAL_TIMES;
  const patienceMs = () => Math.min(Math.max(TYPICAL_TIMES * typicalMs, LEAST_PATIENCE_MS), MOST_PATIENCE_MS);
  const isOverdue = (slot: Slot) => performance.now() - slot.startedAt > patienceMs();

  /** They lie in the order of their start: the first one that is young ends the walk. */
  function park(): void {
    for (const slot of fresh) {
      if (!isOverdue(slot)) return;
      fresh.delete(slot);
      parked += 1;
    }
  }

  const lane: FirstLane = {
    uncommitted: 0,
    priorityFirst: false,
    isOverdue,
    isFull: () => lane.uncommitted >= limits.uncommitted,
    hasRoom(which) {
      if (which === 'starters' && lane.priorityFirst) return false;
      if (lane.isFull()) return false;
      if (fresh.size < width.now()) return parked < limits.parked;
      park();
      width.adapt();
      return fresh.size < width.now() && parked < limits.parked;
    },
    start() {
      const slot = { startedAt: performance.now() };
      fresh.add(slot);
      return slot;
    },
    end(slot, ok) {
      if (!fresh.delete(slot)) parked -= 1;
      if (ok) {
        const tookMs = Math.min(performance.now() - slot.startedAt, MOST_PATIENCE_MS);
        typicalMs += WEIGHT * (tookMs - typicalMs);
      }
      lane.tell();
    },
    inFlight: () => fresh.size + parked,
    watchers: new Set(),
    tell() {
      for (const watcher of lane.watchers) watcher();
    },
  };
  return lane;
}

/** How many slots there are at the moment; adapted when all of them are taken. */
function createWidth(most: number): { now(): number; adapt(): void } {
  let slots = Math.min(most, LEAST_SLOTS);
  const load = createEventLoopLoad();
  return {
    now: () => Math.floor(slots),
    adapt() {
      if (!load.measure()) return;
      slots =
        load.utilization() > BUSY ? Math.max(slots * LESS, Math.min(most, LEAST_SLOTS)) : Math.min(slots * MORE, most);
    },
  };
}
