import { setTimeout as sleep } from 'node:timers/promises';
import { requireWrites } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';

const PROBE_TIMEOUT_MS = 3_000;
const KEPT_MS = 1_000;

/**
 * A part outside of the process. `limit_store` is the Redis of REDIS_URL, `replicas` is the database of DATABASE_READ_URL,
 * and `signer` is that of TREASURY_SIGNER_URL.
 */
export type Dependency = 'database' | 'replicas' | 'storage' | 'chain' | 'facilitator' | 'signer' | 'limit_store';

/** The answer of one part: whether it worked, and how long that took. */
export type Probe = { up: boolean; seconds: number };
export type Probes = Partial<Record<Dependency, Probe>>;

type Readiness = { ready: boolean; parts: { database: boolean } };
type ProbeDeps = Pick<Deps, 'db' | 'reads' | 'anonymous' | 'storage' | 'chain' | 'facilitator' | 'treasury'>;

/**
 * Returns a function that tells whether this process can serve: its database takes writes. It asks on a connection of its own:
 * slow reads that fill a pool must not take the payments away. Other parts do not count, because most requests need none of
 * them, and no other process would reach them either.
 */
export function createReadiness({ breaker }: Pick<Deps, 'breaker'>): () => Promise<Readiness> {
  return shared(async () => {
    const database = (await breaker.answers()) && !breaker.isOpen();
    return { ready: database, parts: { database } };
  });
}

/**
 * Returns a function that asks every part, each for at most 3 s. `limitStore` tells whether Redis answers. An answer holds
 * for a second: anybody may ask, and operators pay for the calls to a node, a facilitator, and a store.
 */
export function createProbes(deps: ProbeDeps, limitStore?: () => { up: boolean }): () => Promise<Probes> {
  const reads = deps.anonymous?.reads;
  return shared(async () => {
    const [database, replicas, storage, chain, facilitator, signer] = await Promise.all([
      probe(() => Promise.all([requireWrites(deps.db), deps.reads`select 1`])),
      reads && probe(() => replicaFollows(reads)),
      probe(() => deps.storage.check()),
      probe(() => deps.chain.check()),
      probe(() => deps.facilitator.check()),
      deps.treasury.check && probe(deps.treasury.check),
    ]);
    const parts: Probes = { database, storage, chain, facilitator };
    if (signer) parts.signer = signer;
    if (replicas) parts.replicas = replicas;
    if (limitStore) parts.limit_store = { up: limitStore().up, seconds: 0 };
    return parts;
  }, KEPT_MS);
}

/** A worker writes each second, so a replica that replayed nothing for a minute does not follow its primary. */
async function replicaFollows(reads: Deps['reads']): Promise<void> {
  const [row] = await reads<{ isLate: boolean | null }[]>`
    select pg_is_in_recovery() and pg_last_xact_replay_timestamp() < now() - interval '1 minute' as "isLate"`;
  if (row?.isLate) throw new Error('the replica does not follow its primary');
}

/** Concurrent callers share one run, and so do those within `keptMs` of its end. */
function shared<T>(ask: () => Promise<T>, keptMs = 0): () => Promise<T> {
  let run: Promise<T> | null = null;
  let keptUntil = 0;
  return () => {
    if (run !== null && performance.now() < keptUntil) return run;
    keptUntil = Infinity;
    return (run = ask().finally(() => (keptUntil = performance.now() + keptMs)));
  };
}

async function probe(ask: () => Promise<unknown>): Promise<Probe> {
  const timeout = new AbortController();
  const startedAt = performance.now();
  const late = sleep(PROBE_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  const answered = ask().then(
    () => true,
    () => false,
  );
  try {
    const up = await Promise.race([answered, late]);
    return { up, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    timeout.abort();
  }
}
