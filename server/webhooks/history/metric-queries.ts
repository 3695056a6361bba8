import type { Queryable } from '../../ports/database.ts';

type Backlog = { lane: 'retry' | 'slow'; due: number; later: number; oldestDueAt: Date | null };

/** Counts the waiting deliveries by lane. Index-only: webhook_retries_due. */
export async function readBacklog(db: Queryable, now: Date): Promise<Backlog[]> {
  return await db<Backlog[]>`
    select lane, (count(*) filter (where due_at <= ${now}))::integer as due,
      (count(*) filter (where due_at > ${now}))::integer as later,
      min(due_at) filter (where due_at <= ${now}) as "oldestDueAt"
    from webhook_retries where due_at is not null group by lane`;
}

type FanOuts = { open: number; reached: number; oldestDueAt: Date | null };

/** Counts the shards of fan-outs that are due. Index webhook_fan_outs_due. */
export async function readFanOuts(db: Queryable, now: Date): Promise<FanOuts> {
  const [row] = await db<[FanOuts]>`
    select count(*)::integer as open, coalesce(sum(attempted), 0)::integer as reached, min(due_at) as "oldestDueAt"
    from webhook_fan_outs where done_at is null and due_at <= ${now}`;
  return row;
}
