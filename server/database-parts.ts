import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createPools } from './db/pool.ts';
import { createReplicas, workingProcesses } from './db/public.ts';
import type { Db } from './ports/database.ts';
import { readNewest } from './projects/publication/public.ts';

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

type ReplicaParts = { primary: Db; jitter: () => number; log: Logger };

/** Connects to the replicas of DATABASE_READ_URL; null where there are none. */
export function replicasOf(config: Config, { primary, jitter, log }: ReplicaParts) {
  const { replicas: urls, search } = config;
  if (urls.length === 0) return null;
  return createReplicas({
    urls,
    primary,
    prepare: config.databasePrepare,
    viewConnections: config.databaseViewPool,
    searchConnections: search.pool,
    searchTimeoutMs: search.timeoutMs,
    heartbeat: readNewest,
    jitter,
    onChange: ({ name, state, lagMs }) =>
      log[state === 'good' ? 'info' : 'warn']({ replica: name, state, lagMs }, 'replica'),
  });
}
