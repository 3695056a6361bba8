import type { Child } from './child.ts';
import type { HttpLoad, HttpLoaded } from './peers/load-peer.ts';
import type { BenchWorld } from './world.ts';

/** The number of concurrent requests or statements. */
const CONCURRENCY = 32;

/** The world, the duration, and the load generator that the measurements of one service share. */
export type Tools = {
  world: BenchWorld;
  rounds: number;
  durationMs: number;
  generator: Child;
  /** Hears the share of a core that the load generator used in each run. */
  onBusy: (share: number) => void;
};

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Returns the milliseconds that work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The measurements by name. One of them is `service`. */
type Measurements = Record<string, () => Promise<number>>;
/** One value per round. */
export type Values = Record<string, number[]>;

/** Runs all measurements in turn for each of `rounds` rounds, so that a slow machine affects them equally. */
export async function interleaved(rounds: number, measurements: Measurements): Promise<Values> {
  const entries = Object.entries(measurements);
  const values: Values = Object.fromEntries(entries.map(([name]) => [name, []]));
  // The first round warms up compilers and caches, and its values are dropped.
  for (const [, measure] of entries) await measure();
  for (let round = 0; round < rounds; round += 1) {
    // Every other round runs in reverse order, because the first measurement can find the machine colder.
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) values[name]?.push(await measure());
  }
  return values;
}

type HttpTarget = Pick<HttpLoad, 'port' | 'requests'> & { status?: number };

/** Measures the requests a second of a server. Each call goes on after the last request of the one before. */
export function httpLoad({ generator, durationMs, onBusy }: Tools, { port, requests, status = 200 }: HttpTarget) {
  let from = 0;
  return async () => {
    const load: HttpLoad = { port, connections: CONCURRENCY, durationMs, requests, from, status };
    const { perSecond, busy, next } = await generator.ask<HttpLoaded>(load);
    from = next;
    onBusy(busy);
    return perSecond;
  };
}

/** Measures the calls a second of work in this process, as many at once. */
export function workLoad(durationMs: number, work: (index: number) => Promise<unknown>) {
  let next = 0;
  return async () => {
    const from = next;
    const startedAt = performance.now();
    const loop = async () => {
      while (performance.now() < startedAt + durationMs) await work(next++);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, loop));
    return ((next - from) / (performance.now() - startedAt)) * 1000;
  };
}
