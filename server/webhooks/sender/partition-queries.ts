import type { Queryable, Tx } from '../../ports/database.ts';

// Two processes that create the same partition at once would both fail, so this advisory lock serializes them.
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

/** Creates the partitions of a day, given as YYYY-MM-DD in UTC. It locks the tables only for a moment. */
export async function createPartition(tx: Tx, day: string): Promise<void> {
  await tx`select webhook_partitions(${day}::date, 1)`;
}

/** The function of the database drops nothing but a daily partition of these tables. */
export async function dropPartition(tx: Tx, name: string): Promise<void> {
  await tx`select webhook_drop_partition(${name})`;
}

/** Deletes the oldest events whose fan-outs are done, with their cursors. Returns how many. Index webhook_events_created. */
export async function deleteEvents(db: Queryable, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const rows = await db`
    with old as (
      select id from webhook_events e
      where created_at < ${before}
        and not exists (select 1 from webhook_fan_outs f where f.event_id = e.id and f.done_at is null)
      order by created_at limit ${limit}
    ), cursors as (
      delete from webhook_fan_outs where event_id in (select id from old)
    )
    delete from webhook_events where id in (select id from old) returning 1`;
  return rows.length;
}
