import type { DeliveryFailure } from '../../ports/webhooks.ts';
import { offeredBy } from '../sender/public.ts';
import type { Queryable, Tx } from '../../ports/database.ts';
import { FIRST_ATTEMPT } from '../delivery/public.ts';

export type DeliveryRow = {
  eventId: string;
  webhookId: string;
  projectId: string;
  projectTitle: string;
  createdAt: Date;
  /** There is a row of `webhook_retries`: it did not succeed at once, or waits. */
  waited: boolean;
  dueAt: Date | null;
  deadAt: Date | null;
  deliveredAt: Date | null;
};

/** Parts of a statement over `webhook_retries r` and `webhook_events e`. */
export const retryColumns = (db: Queryable) => db`
  (r.event_id is not null) as waited, r.due_at as "dueAt", r.dead_at as "deadAt", r.delivered_at as "deliveredAt"`;

export const titleOf = (db: Queryable) => db`e.body::json #>> '{data,project,title}' as "projectTitle"`;

const dayOf = (db: Queryable) => db`(e.created_at at time zone 'UTC')::date`;

export type ListedWebhook = { id: string; shard: number; status: string };

/**
 * The events that were sent to one webhook, wait for it, or reach it with the fan-out: newest event first, from an event
 * on. Events are walked by their key (its order is that of time); of each, the attempts and the retry are looked up in the
 * partitions from its day on. `since`: what is older was never sent to it, or is forgotten.
 */
export async function listOfWebhook(
  db: Queryable,
  webhook: ListedWebhook,
  { since, before, only, limit }: { since: Date; before: string | null; only: string | null; limit: number },
): Promise<DeliveryRow[]> {
  return await db<DeliveryRow[]>`
    select e.id as "eventId", ${webhook.id}::uuid as "webhookId", e.project_id as "projectId", e.created_at as "createdAt",
      ${titleOf(db)}, ${retryColumns(db)}
    from webhook_events e
    left join webhook_retries r on r.day = ${dayOf(db)} and r.event_id = e.id and r.webhook_id = ${webhook.id}
    left join webhook_fan_outs f on f.event_id = e.id and f.shard = ${webhook.shard} and f.done_at is null
      and (f.after is null or f.after < ${webhook.id}) and ${webhook.status === 'active'} and exists (
        select 1 from webhooks w left join lateral (${offeredBy(db, db`e.project_id`)}) offered on true
        where w.id = ${webhook.id} and event_wanted(w.wanted_min_micro, w.wanted_max_micro, w.wanted_categories,
          offered.prize_micro, offered.categories))
    where e.kind = 'PROJECT.OPEN' and e.created_at >= ${since}
      ${before === null ? db`` : db`and e.id < ${before}`} ${only === null ? db`` : db`and e.id = ${only}`}
      and (r.event_id is not null or f.event_id is not null or exists (
        select 1 from webhook_attempts a
        where a.webhook_id = ${webhook.id} and a.event_id = e.id and a.at >= e.created_at))
    order by e.id desc limit ${limit}`;
}

export type AttemptRow = {
  eventId: string;
  webhookId: string;
  at: Date;
  number: number;
  outcome: 'delivered' | 'failed';
  failure: DeliveryFailure | null;
  status: number | null;
  latencyMs: number;
  answer: string | null;
};

// More than the schedule has; replays can make it any number.
const SHOWN_ATTEMPTS = 20;

/** The newest of each delivery, oldest first. Index webhook_attempts_webhook, in the partitions since the oldest event. */
export async function listAttempts(
  db: Queryable,
  deliveries: Pick<DeliveryRow, 'eventId' | 'webhookId' | 'createdAt'>[],
): Promise<AttemptRow[]> {
  if (deliveries.length === 0) return [];
  const since = new Date(Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime())));
  return await db<AttemptRow[]>`
    select a.* from unnest(
      ${deliveries.map(({ eventId }) => eventId)}::uuid[], ${deliveries.map(({ webhookId }) => webhookId)}::uuid[]
    ) as d (event_id, webhook_id)
    cross join lateral (
      select event_id as "eventId", webhook_id as "webhookId", at, number, outcome, failure, status,
        latency_ms as "latencyMs", answer
      from webhook_attempts
      where webhook_id = d.webhook_id and event_id = d.event_id and at >= ${since}
      order by at desc, number desc limit ${SHOWN_ATTEMPTS}
    ) a
    order by a.at, a.number`;
}

/**
 * Makes a delivery due now, with its whole schedule before it, because an agent asked for a replay. A delivery to an
 * endpoint that never succeeded waits for the trial. A delivery that a sender holds at this moment stays with it.
 */
export async function dueAgain(
  tx: Tx,
  { eventId, webhookId, priority, now }: { eventId: string; webhookId: string; priority: number; now: Date },
): Promise<void> {
  await tx`
    insert into webhook_retries (event_id, webhook_id, day, retries, lane, priority, due_at, replayed)
    select e.id, w.id, ${dayOf(tx)}, ${FIRST_ATTEMPT}, case when w.slow then 'slow' else 'retry' end, ${priority},
      case when w.verified_at is not null then ${now}::timestamptz end, true
    from webhook_events e, webhooks w where e.id = ${eventId} and w.id = ${webhookId}
    on conflict (day, event_id, webhook_id) do update
    set retries = excluded.retries, lane = excluded.lane, priority = excluded.priority, due_at = excluded.due_at, lease_until = null,
      token = null, dead_at = null, delivered_at = null, replayed = true
    where webhook_retries.lease_until is null or webhook_retries.lease_until <= ${now}`;
}

/** Makes a delivery that waits for its next attempt due now. It keeps its place in the schedule. */
export async function dueEarlier(
  tx: Tx,
  { eventId, webhookId }: Pick<DeliveryRow, 'eventId' | 'webhookId'>,
  now: Date,
): Promise<void> {
  await tx`
    update webhook_retries set due_at = least(due_at, ${now})
    where event_id = ${eventId} and webhook_id = ${webhookId} and due_at is not null
      and (lease_until is null or lease_until <= ${now})`;
}
