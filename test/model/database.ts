import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import type { Db } from '../../server/db/database.ts';

const CONNECTIONS = 6;

export type ModelDatabase = { of(seed: number): Db; close(): Promise<void> };

/**
 * Creates a migrated database on a test server. Most stories use one connection, so concurrent commands run in one
 * order and a seed repeats its story exactly. Every fourth story uses several connections, to test races.
 */
export async function modelDatabase(serverUrl: string, name: string): Promise<ModelDatabase> {
  const admin = createPool({ url: serverUrl, connections: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const [single, several] = [1, CONNECTIONS].map((connections) => createPool({ url: url.toString(), connections }));
  await migrate(several!);
  // A random id would give each run of a story other nonces.
  await single!.unsafe(`
    create function model_stray_id() returns trigger language plpgsql as $$
    begin new.id := md5(new.tx_hash || ':' || new.log_index)::uuid; return new; end $$;
    create trigger model_stray_id before insert on stray_transfers for each row execute function model_stray_id()`);
  return {
    of: (seed) => (seed % 4 === 3 ? several! : single!),
    async close() {
      await Promise.all([single!.end({ timeout: 1 }), several!.end({ timeout: 1 })]);
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}
