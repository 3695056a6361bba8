import { after } from 'node:test';
import { createPool } from '../../../server/db/pool.ts';
import type { Db } from '../../../server/db/database.ts';
import type { SharedWorld } from './shared-world.ts';

/** Opens the database of the shared service, for rows that a test cannot reach by HTTP. Change only your own rows. */
export function sharedDatabase({ databaseUrl }: Pick<SharedWorld, 'databaseUrl'>): Db {
  const db = createPool({ url: databaseUrl, connections: 1 });
  after(() => db.end({ timeout: 1 }));
  return db;
}
