import type { Config } from './config.ts';
import { createMainPool, createReadPool } from './db/pool.ts';
import type { Db } from './db/database.ts';

/** Creates the pools of the primary. */
export function poolsOf(config: Config, url: string) {
  const { databasePool: connections, databasePrepare: prepare } = config;
  return {
    db: createMainPool({ url, prepare, connections }),
    reads: createReadPool({ url, prepare, connections }),
  };
}

/** Creates the pool of DATABASE_READ_URL; null without it. */
export function anonymousPoolsOf({
  databaseReadUrl: url,
  databasePool,
  databasePrepare,
}: Config): { reads: Db } | null {
  if (url === undefined) return null;
  return { reads: createReadPool({ url, prepare: databasePrepare, connections: databasePool }) };
}
