import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

const PROBE_TIMEOUT_MS = 3_000;

type Readiness = { ready: boolean; parts: { database: boolean; storage: boolean; chain: boolean } };

/** Returns a function that checks whether database, storage, and chain answer within 3 s. Concurrent checks share one. */
export function createReadiness({
  db,
  storage,
  chain,
}: Pick<Deps, 'db' | 'storage' | 'chain'>): () => Promise<Readiness> {
  let asking: Promise<Readiness> | null = null;
  async function ask(): Promise<Readiness> {
    const [database, stored, chained] = await Promise.all([
      answers(db`select 1`),
      answers(storage.check()),
      answers(chain.blockNumber()),
    ]);
    return { ready: database && stored && chained, parts: { database, storage: stored, chain: chained } };
  }
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}

async function answers(probe: PromiseLike<unknown>): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(PROBE_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  const answered = Promise.resolve(probe).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    timeout.abort();
  }
}
