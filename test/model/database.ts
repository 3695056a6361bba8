import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import type { Db } from '../../server/ports/database.ts';

const CONNECTIONS = 6;

export type ModelDatabase = { of(seed: number): Db; close(): Promise<void> };

/**
 * A migrated database of its own on a server for tests. Most stories have one connection to it: what a command does side by
 * side then comes in one order, and a seed tells its story to the letter. Every fourth has several, for the races.
 */
export async function modelDatabase(serverUrl: string, name: string): Promise<ModelDatabase> {
  const admin = createPool({ url: serverUrl, connections: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const [single, several] = [1, CONNECTIONS].map((connections) => createPool({ url: url.toString(), connections }));
  await migrate(single!);
  return {
    of: (seed) => (seed % 4 === 3 ? several! : single!),
    async close() {
      await Promise.all([single!.end({ timeout: 1 }), several!.end({ timeout: 1 })]);
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}
