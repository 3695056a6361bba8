import type { Queryable, Tx } from '../context.ts';

// Whoever makes or drops partitions: two processes that make the same one at once would both fail.
const LOCK = 7_266_431;

export async function lockPartitions(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK})`;
}

export async function listPartitions(db: Queryable): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('webhook_attempts'::regclass, 'webhook_retries'::regclass) order by c.relname`;
  return rows.map(({ name }) => name);
}

/** `day` as YYYY-MM-DD, in UTC. Waits for nobody who reads: the tables are locked for the moment that it takes. */
export async function makePartition(tx: Tx, day: string): Promise<void> {
  await tx`select webhook_partitions(${day}::date, 1)`;
}

/** Only what `listPartitions` named. */
export async function dropPartition(tx: Tx, name: string): Promise<void> {
  await tx`drop table if exists ${tx(name)}`;
}
