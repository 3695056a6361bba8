import { setFlagsFromString } from 'node:v8';

/** In per cent of what is alive. */
const GARBAGE = { worker: 60, server: 200 };

/**
 * How much garbage gathers before all of the heap is looked at, in place of what V8 makes of the pace of allocations.
 *
 * `worker`: what waits for its outcome to be written outlives the young generation, 20 MB of it in a second of a fan-out,
 * and dies at once: with V8's own patience a sender took 400 MB, with this 290, at the same rate.
 *
 * `server`: V8 collects by itself where little is allocated, as under a steady load of searches, and then leaves the heap
 * less room than its young generation takes. That has it begin again as soon as it is done, for as long as the load goes
 * on (`node --trace-gc --trace-incremental-marking` shows it), and one search in a hundred waits for it.
 */
export function setHeapGrowth(of: 'worker' | 'server'): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE[of]}`);
}
