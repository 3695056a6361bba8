import type { Logger } from 'pino';

/** The number of probes in a row that must agree, so that a part that fails once, or answers once, changes nothing. */
const PROBES = 3;
export const WATCH_EVERY_MS = 10_000;

type Change = { part: string; up: boolean; at: Date };
type WatchParts = {
  /** Asks every part once. */
  probes: () => Promise<Partial<Record<string, { up: boolean }>>>;
  /** Tells the operator of a change. A part that was never told of counts as up. */
  tell: (change: Change) => Promise<unknown>;
  clock: { now(): Date };
  log: Pick<Logger, 'error' | 'info'>;
};

/** The last result of a part's probes, how often in a row, and since when. `known`: the state that the operator was told. */
type Seen = { up: boolean; probes: number; at: Date; known: boolean | null };

function seenAgain(before: Seen | undefined, up: boolean, now: Date): Seen {
  if (before?.up === up) return { ...before, probes: before.probes + 1 };
  return { up, probes: 1, at: now, known: before?.known ?? null };
}

/**
 * Returns the job that watches the parts outside of the process. Each run is one probe. A change that cannot be told,
 * because the database itself is away, is told by a later run, with its own time.
 */
export function createDependencyWatch({ probes, tell, clock, log }: WatchParts): () => Promise<void> {
  const parts = new Map<string, Seen>();
  const untold: Change[] = [];
  return async () => {
    for (const [part, probe] of Object.entries(await probes())) {
      if (!probe) continue;
      const { up } = probe;
      const seen = seenAgain(parts.get(part), up, clock.now());
      parts.set(part, seen);
      if (seen.probes < PROBES || seen.known === up) continue;
      if (!up) log.error({ alert: 'dependency_down', part, since: seen.at }, 'a part of the service does not answer');
      else if (seen.known === false) log.info({ part, since: seen.at }, 'a part of the service answers again');
      seen.known = up;
      untold.push({ part, up, at: seen.at });
    }
    for (let [next] = untold; next; [next] = untold) {
      await tell(next);
      untold.shift();
    }
  };
}
