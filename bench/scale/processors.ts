import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { cpuSeconds } from '../child.ts';
import type { Fleet, ScaleWorld } from './scale-world.ts';

/** How many cores each part used. `others` are the clients, the chain, the worker, and whatever else runs on the machine. */
export type Cores = { service: number; primary: number; replicas: number; others: number; idle: number };

type Ticks = Record<'service' | 'primary' | 'replicas' | 'busy', number>;

/** Runs `work`, and returns its result with the cores that each part used meanwhile. Linux only. */
export async function withCores<T>(
  world: ScaleWorld,
  fleet: Fleet,
  work: () => Promise<T>,
): Promise<{ result: T; cores: Cores }> {
  const before = await ticks(world, fleet);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await ticks(world, fleet);
  const used = (part: keyof Ticks) => Math.max(0, (after[part] - before[part]) / seconds);
  const [service, primary, replicas] = [used('service'), used('primary'), used('replicas')];
  const busy = used('busy');
  return {
    result,
    cores: {
      service,
      primary,
      replicas,
      others: Math.max(0, busy - service - primary - replicas),
      idle: Math.max(0, availableParallelism() - busy),
    },
  };
}

/** Seconds of processor time. A process that has ended meanwhile no longer counts, so `others` can be a little too large. */
async function ticks(world: ScaleWorld, fleet: Fleet): Promise<Ticks> {
  const { primary, replicas } = await world.databasePids();
  const sum = async (pids: number[]) =>
    (await Promise.all(pids.map(cpuSeconds))).filter(Number.isFinite).reduce((all, one) => all + one, 0);
  return {
    service: await sum(fleet.pids),
    primary: await sum(primary),
    replicas: await sum(replicas),
    busy: await busySeconds(),
  };
}

async function busySeconds(): Promise<number> {
  const [all = ''] = (await readFile('/proc/stat', 'latin1')).split('\n', 1);
  const [, user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = all.split(/ +/).map(Number);
  return (user + nice + system + interrupts + soft) / 100;
}
