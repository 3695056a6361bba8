import type { Queryable, Tx } from '../../ports/database.ts';

/** Makes the sender look soon for waiting events of these endpoints. The caller has written them in the same transaction. */
export async function wakeTrials(tx: Tx, webhookIds: string[], now: Date): Promise<void> {
  if (webhookIds.length === 0) return;
  await tx`update webhooks set trial_at = ${now} where id = any(${webhookIds}) and trial_at is null`;
}

/**
 * Records the first success of endpoints, and lets the sender look for the events that waited for it. Their failed
 * requests before it bound nothing any more.
 */
export async function markVerified(tx: Tx, observed: { id: string; url: string }[], now: Date): Promise<void> {
  const verified = await tx<{ id: string }[]>`
    update webhooks w set verified_at = ${now}, trial_at = ${now}
    from unnest(${observed.map(({ id }) => id)}::uuid[], ${observed.map(({ url }) => url)}::text[]) as k (id, url)
    where w.id = k.id and w.url = k.url and w.verified_at is null returning w.id`;
  if (verified.length === 0) return;
  await tx`
    delete from webhook_trial_requests r using webhooks w
    where w.id = any(${verified.map(({ id }) => id)}) and r.host = w.host and r.webhook_id = w.id`;
}

/** Makes the deliveries of an endpoint wait that were due at its replaced URL. One that is in flight ends there. */
export async function parkDeliveries(tx: Tx, webhookId: string, now: Date): Promise<void> {
  await tx`
    update webhook_retries set due_at = null
    where webhook_id = ${webhookId} and due_at is not null and (lease_until is null or lease_until <= ${now})`;
}

/** An endpoint that may start a waiting event. */
export type Trial = {
  id: string;
  verified: boolean;
  /** When the delivery that is under way is due; null when none is. */
  dueAt: Date | null;
  /** The last request that the endpoint did not accept. */
  lastRequestAt: Date | null;
};

/**
 * Makes endpoints due whose time is later than any that this clock writes: the clock was set back, and they would wait
 * for the length of that step. Index webhooks_trial.
 */
export async function takeBackTrialTimes(tx: Tx, { now, latest }: { now: Date; latest: Date }): Promise<void> {
  await tx`
    update webhooks set trial_at = ${now}
    where id in (select id from webhooks where trial_at > ${latest} for no key update skip locked)`;
}

/** Locks endpoints to look at. Index webhooks_trial. */
export async function lockTrials(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from webhooks where trial_at <= ${now} order by trial_at limit ${limit}
    for no key update skip locked`;
  return rows.map(({ id }) => id);
}

/**
 * Corrects the times of endpoints after the clock was set back: a delivery under way that is due later than its schedule
 * says, its lease, and requests in the future. Indexes webhook_retries_open and webhook_trial_requests_host.
 *
 * @param backOff the milliseconds before each retry, the first one included
 * @param pauseMs how much later than now a delivery may be due for another reason
 */
export async function takeBackTimes(
  tx: Tx,
  webhookIds: string[],
  { now, backOff, pauseMs }: { now: Date; backOff: readonly number[]; pauseMs: number },
): Promise<void> {
  const latest = new Date(now.getTime() + pauseMs);
  await tx`
    update webhook_retries r set due_at = ${now}::timestamptz + backed * interval '1 ms',
      lease_until = case when r.lease_until <= ${latest} then r.lease_until end
    from (
      select day, event_id, webhook_id, coalesce((${[...backOff]}::bigint[])[retries + 1], 0) as backed
      from webhook_retries
      where webhook_id = any(${webhookIds}) and due_at > ${latest} and dead_at is null and delivered_at is null
    ) late
    where (r.day, r.event_id, r.webhook_id) = (late.day, late.event_id, late.webhook_id)
      and r.due_at > ${now}::timestamptz + backed * interval '1 ms'`;
  await tx`
    update webhook_trial_requests r set started_at = ${now} from webhooks w
    where w.id = any(${webhookIds}) and r.host = w.host and r.webhook_id = w.id and r.started_at > ${now}`;
}

/** Drops the waiting deliveries whose project has ended, and all but the newest. Index webhook_retries_open. */
export async function dropWaiting(
  tx: Tx,
  webhookIds: string[],
  { keep, now }: { keep: number; now: Date },
): Promise<void> {
  await tx`
    update webhook_retries r set dead_at = ${now}
    from (
      select w.day, w.event_id, w.webhook_id,
        w.stream is null and not w.replayed and p.status not in ('draft', 'open') as ended,
        row_number() over (partition by w.webhook_id order by w.event_id desc) as place
      from webhook_retries w left join webhook_events e on e.id = w.event_id left join projects p on p.id = e.project_id
      where w.webhook_id = any(${webhookIds}) and w.due_at is null and w.dead_at is null and w.delivered_at is null
    ) waiting
    where (r.day, r.event_id, r.webhook_id) = (waiting.day, waiting.event_id, waiting.webhook_id)
      and (waiting.ended or waiting.place > ${keep})`;
}

/** Reads the endpoints after `lockTrials`. Indexes webhook_retries_open and webhook_trial_requests_host. */
export async function readTrials(db: Queryable, webhookIds: string[], since: Date): Promise<Trial[]> {
  return await db<Trial[]>`
    select w.id, w.verified_at is not null as verified,
      (select min(due_at) from webhook_retries r
        where r.webhook_id = w.id and r.dead_at is null and r.delivered_at is null) as "dueAt",
      (select max(started_at) from webhook_trial_requests r
        where r.host = w.host and r.webhook_id = w.id and r.started_at > ${since}) as "lastRequestAt"
    from webhooks w where w.id = any(${webhookIds})`;
}

/** Makes waiting deliveries due: the oldest one of each endpoint, or all. Returns the endpoints that had one. */
export async function startDeliveries(
  tx: Tx,
  webhookIds: string[],
  { each, now }: { each: 'oldest' | 'all'; now: Date },
): Promise<Set<string>> {
  if (webhookIds.length === 0) return new Set();
  const rows = await tx<{ id: string }[]>`
    update webhook_retries r set due_at = ${now}
    from (
      select day, event_id, webhook_id, row_number() over (partition by webhook_id order by event_id) as place
      from webhook_retries
      where webhook_id = any(${webhookIds}) and due_at is null and dead_at is null and delivered_at is null
    ) next
    where (r.day, r.event_id, r.webhook_id) = (next.day, next.event_id, next.webhook_id)
      and (${each === 'all'} or place = 1)
    returning r.webhook_id as id`;
  return new Set(rows.map(({ id }) => id));
}

/** Writes when the sender looks at the endpoints next; null: when another event waits. */
export async function scheduleNextTrials(tx: Tx, times: { id: string; at: Date | null }[]): Promise<void> {
  if (times.length === 0) return;
  await tx`
    update webhooks w set trial_at = k.at
    from unnest(${times.map(({ id }) => id)}::uuid[], ${times.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[])
      as k (id, at)
    where w.id = k.id`;
}
