import type { Config } from './config.ts';
import { createPools, createReadingPools } from './db/pool.ts';
import { workingProcesses } from './db/public.ts';
import type { ReadPools } from './ports/database.ts';

/** Creates the pools of the primary. */
export function poolsOf(config: Config, databaseUrl: string, jitter: () => number) {
  const { databaseViewPool, search } = config;
  return createPools({
    url: databaseUrl,
    connections: config.databasePool,
    prepare: config.databasePrepare,
    // Behind a pooler, the ids of the server's processes are not known.
    working: config.databasePooler ? undefined : (pids) => workingProcesses(databaseUrl, pids),
    viewConnections: databaseViewPool,
    searchConnections: search.pool,
    searchTimeoutMs: search.timeoutMs,
    jitter,
  });
}

/** Creates the pools of DATABASE_READ_URL; null without it. */
export function anonymousPoolsOf(config: Config, jitter: () => number): ReadPools | null {
  const { databaseReadUrl: url, search } = config;
  if (url === undefined) return null;
  const pools = createReadingPools({
    url,
    prepare: config.databasePrepare,
    viewConnections: config.databaseViewPool,
    searchConnections: search.pool,
    searchTimeoutMs: search.timeoutMs,
    jitter,
  });
  return { ...pools, reads: pools.searchReads };
}
