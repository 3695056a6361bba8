import { FIRST_ATTEMPT } from '../delivery/public.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

export type LoggedDelivery = {
  eventId: string;
  webhookId: string;
  stream: string;
  /** When the delivery was queued, to the day. */
  createdAt: Date;
  dueAt: Date | null;
  deadAt: Date | null;
  deliveredAt: Date | null;
};

/** Lists the deliveries of an endpoint, newest event first: ids have the order of time. Index webhook_retries_webhook. */
export async function listLogged(
  db: Queryable,
  webhookId: string,
  { before, only, limit }: { before: string | null; only: string | null; limit: number },
): Promise<LoggedDelivery[]> {
  return await db<LoggedDelivery[]>`
    select event_id as "eventId", webhook_id as "webhookId", stream, (day::timestamp at time zone 'UTC') as "createdAt",
      due_at as "dueAt", dead_at as "deadAt", delivered_at as "deliveredAt"
    from webhook_retries where webhook_id = ${webhookId} and stream is not null
      ${before === null ? db`` : db`and event_id < ${before}`} ${only === null ? db`` : db`and event_id = ${only}`}
    order by event_id desc limit ${limit}`;
}

/** Makes an ended delivery due now, with the whole schedule before it. At an endpoint that never succeeded, it waits. */
export async function sendAgain(
  tx: Tx,
  { eventId, webhookId }: Pick<LoggedDelivery, 'eventId' | 'webhookId'>,
  now: Date,
): Promise<void> {
  await tx`
    update webhook_retries r set retries = ${FIRST_ATTEMPT}, lane = case when w.slow then 'slow' else 'retry' end,
      due_at = case when w.verified_at is not null then ${now}::timestamptz end, dead_at = null, delivered_at = null,
      replayed = true
    from webhooks w
    where w.id = r.webhook_id and r.webhook_id = ${webhookId} and r.event_id = ${eventId}
      and (r.lease_until is null or r.lease_until <= ${now})`;
}
