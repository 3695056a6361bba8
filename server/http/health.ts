import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../context.ts';

const PROBE_TIMEOUT_MS = 3_000;

export type Readiness = { ready: boolean; parts: { database: boolean; storage: boolean; chain: boolean } };

/** Whether the three parts that a request needs answer in time. */
export async function readiness({ db, storage, chain }: Pick<Deps, 'db' | 'storage' | 'chain'>): Promise<Readiness> {
  const [database, stored, chained] = await Promise.all([
    answers(db`select 1`),
    answers(storage.check()),
    answers(chain.blockNumber()),
  ]);
  return { ready: database && stored && chained, parts: { database, storage: stored, chain: chained } };
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
