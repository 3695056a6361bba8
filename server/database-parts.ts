import type { Config } from './config.ts';
import { createPools, createReadingPools } from './db/pools.ts';
import type { ReadPools } from './ports/database.ts';

/** Creates the pools of the primary. */
export function poolsOf(config: Config, databaseUrl: string) {
  const { databaseViewPool, search } = config;
  return createPools({
    url: databaseUrl,
    connections: config.databasePool,
    prepare: config.databasePrepare,
    viewConnections: databaseViewPool,
    searchConnections: search.pool,
    searchTimeoutMs: search.timeoutMs,
  });
}

/** Creates the pools of DATABASE_READ_URL; null without it. */
export function anonymousPoolsOf(config: Config): ReadPools | null {
  const { databaseReadUrl: url, search } = config;
  if (url === undefined) return null;
  return createReadingPools({
    url,
    prepare: config.databasePrepare,
    viewConnections: config.databaseViewPool,
    searchConnections: search.pool,
    searchTimeoutMs: search.timeoutMs,
  });
}
