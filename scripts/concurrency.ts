import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

// node scripts/concurrency.ts MORE   prints how many test files run at a time

/** Chosen, not measured on other machines: on the slow one, a process that does nothing starts in 96 ms or more. */
const SLOW_START_MS = 80;

/**
 * Returns how many test processes run at a time: one for each core, and `more` because tests wait. But a virtual machine
 * whose page faults are slow (17 µs each) spends the waiting times on them. There, four processes took 52 s
 * for what two did in 44 s, and each test took twice as long.
 */
export function concurrency(more: number): number {
  const cores = availableParallelism();
  return startMs() < SLOW_START_MS ? cores + more : cores;
}

/** The shortest of three starts, because other processes may run. */
function startMs(): number {
  const starts = [1, 2, 3].map(() => {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - began;
  });
  return Math.min(...starts);
}

if (import.meta.main) console.log(concurrency(Number(process.argv[2] ?? 0)));
