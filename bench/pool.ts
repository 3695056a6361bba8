import postgres from 'postgres';
import { createPool } from '../server/db/pool.ts';
import type { Db } from '../server/ports/database.ts';

const CONNECTIONS = 8;

/** Microseconds of one query: among the first of a pool, and after `queries` queries. */
export type PoolTimes = { firstMicros: number; lastMicros: number };

/**
 * Runs one query after the other, so that connections always wait. Compares the service's pool with the plain driver.
 */
export async function measurePools(
  databaseUrl: string,
  queries: number,
): Promise<{ service: PoolTimes; driver: PoolTimes }> {
  const own = createPool({ url: databaseUrl, connections: CONNECTIONS });
  const bare = postgres(databaseUrl, { max: CONNECTIONS, fetch_types: false }) as unknown as Db;
  return { service: await measurePool(own, queries), driver: await measurePool(bare, queries) };
}

async function measurePool(db: Db, queries: number): Promise<PoolTimes> {
  const sample = Math.ceil(queries / 10);
  // Open all connections and warm up the compilers.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => db`select pg_sleep(0.1)`));
  await microsOf(db, sample / 2);
  const firstMicros = await microsOf(db, sample);
  await microsOf(db, queries);
  const lastMicros = await microsOf(db, sample);
  await db.end({ timeout: 1 });
  return { firstMicros, lastMicros };
}

async function microsOf(db: Db, queries: number): Promise<number> {
  const startedAt = performance.now();
  for (let query = 0; query < queries; query += 1) await db`select 1`;
  return ((performance.now() - startedAt) / queries) * 1000;
}
