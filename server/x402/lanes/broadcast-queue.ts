import { setTimeout as sleep } from 'node:timers/promises';

/** How long a lane waits for an expected broadcast. Longer than a claim takes, short enough for waiters. */
const EXPECT_MS = 50;
// A longer queue means that the lanes are stuck. Callers learn it before their clients time out.
const MAX_QUEUE = 2_000;
// A broadcast that the node refused goes out again: the next attempt reads the nonce again, and sends each call alone.
const MAX_ATTEMPTS = 4;

/** A call that waits for its broadcast. */
export type QueuedCall<Call, Sent> = {
  call: Call;
  attempts: number;
  sent(result: Sent): void;
  refuse(error: unknown): void;
};

/** A lane that takes calls from the queue. */
export type Taker = {
  /** Whether the lane could start on the queue at once, or will look at it before it does anything else. */
  state(): 'idle' | 'free' | 'busy';
  /** Whether its key has no gas, and another key has. */
  rests(): boolean;
  wake(): void;
};

/** Where calls wait for a lane. All lanes of a process take from one queue, so that the first free one gets the calls. */
export type BroadcastQueue<Call, Sent> = {
  /**
   * Resolves when the call was broadcast. With `released`, the call joins the queue when that promise resolves, a lane is
   * made ready meanwhile, and the call is dropped when the promise rejects.
   */
  run(call: Call, released?: Promise<void> | null): Promise<Sent>;
  /** Whether calls wait or are expected soon. */
  hasWork(): boolean;
  /** Waits until a call waits, or none is expected any more, or `held` is aborted. */
  arrival(held: AbortSignal): Promise<void>;
  /** Takes the calls of the next transaction; empty when none waits. Waits `windowMs` for calls that are expected. */
  take(): Promise<QueuedCall<Call, Sent>[]>;
  /** Puts calls that were certainly not broadcast back to the front. Refuses those that the node refused too often. */
  putBack(jobs: QueuedCall<Call, Sent>[], refusal: unknown): void;
  /** Wakes an idle lane when calls wait and no lane is free for them. */
  poke(): void;
  refuseAll(error: unknown): void;
  join(lane: Taker): void;
};

/**
 * Creates the queue.
 *
 * @param options.next picks the calls of the next transaction, by their positions in the queue; the first is always among them
 * @param options.windowMs how long calls that are ready wait for calls that are expected
 */
export function createBroadcastQueue<Call, Sent>(options: {
  next: (waiting: readonly Call[]) => Set<number>;
  windowMs: number;
}): BroadcastQueue<Call, Sent> {
  const { next, windowMs } = options;
  let jobs: QueuedCall<Call, Sent>[] = [];
  const expected = new Set<Promise<unknown>>();
  const lanes: Taker[] = [];

  function poke(): void {
    if (lanes.some((lane) => lane.state() === 'free')) return;
    const idle = lanes.findIndex((lane) => lane.state() === 'idle' && !lane.rests());
    if (idle === -1) return;
    // The lane that was used last is asked last, so that all keys spend the same.
    const [lane] = lanes.splice(idle, 1);
    if (!lane) return;
    lanes.push(lane);
    lane.wake();
  }

  function add(job: QueuedCall<Call, Sent>): void {
    jobs.push(job);
    poke();
  }

  function addWhen(released: Promise<void>, job: QueuedCall<Call, Sent>): void {
    const added = released.then(() => add(job), job.refuse);
    const arrival: Promise<unknown> = Promise.race([added, sleep(EXPECT_MS, undefined, { ref: false })]);
    expected.add(arrival);
    void arrival.then(() => expected.delete(arrival));
    poke();
  }

  return {
    run(call, released = null) {
      if (jobs.length >= MAX_QUEUE) return Promise.reject(new Error('too many payments are waiting to be broadcast'));
      const { promise, resolve, reject } = Promise.withResolvers<Sent>();
      const job = { call, attempts: 0, sent: resolve, refuse: reject };
      if (released) addWhen(released, job);
      else add(job);
      return promise;
    },
    hasWork: () => jobs.length > 0 || expected.size > 0,
    async arrival(held) {
      while (jobs.length === 0 && expected.size > 0 && !held.aborted) await Promise.race(expected);
    },
    async take() {
      // A single payment goes out at once, because no other payment is expected.
      if (jobs.length > 0 && expected.size > 0 && windowMs > 0) await arrivals(expected, windowMs);
      if (jobs.length === 0) return [];
      const picked = next(jobs.map(({ call }) => call));
      const taken = jobs.filter((_, index) => picked.has(index));
      jobs = jobs.filter((_, index) => !picked.has(index));
      return taken;
    },
    putBack(taken, refusal) {
      if (refusal !== null) for (const job of taken) job.attempts += 1;
      jobs = [...taken.filter(({ attempts }) => attempts < MAX_ATTEMPTS), ...jobs];
      for (const job of taken.filter(({ attempts }) => attempts >= MAX_ATTEMPTS)) job.refuse(refusal);
    },
    poke,
    refuseAll(error) {
      for (const job of jobs.splice(0)) job.refuse(error);
    },
    join: (lane) => void lanes.push(lane),
  };
}

/** Waits for the expected calls to arrive, but never longer than the window. */
async function arrivals(expected: ReadonlySet<Promise<unknown>>, windowMs: number): Promise<void> {
  const over = AbortSignal.timeout(windowMs);
  while (expected.size > 0 && !over.aborted) {
    await Promise.race([...expected, sleep(windowMs, undefined, { ref: false })]);
  }
}
