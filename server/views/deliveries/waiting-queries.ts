import { type DeliveryRow, retryColumns, titleOf } from '../../webhooks/history/public.ts';
import type { Queryable } from '../../ports/database.ts';

export type OperatorDeliveryRow = DeliveryRow & {
  agentId: string | null;
  agentName: string | null;
  url: string | null;
};

export type DeliveryFilter = {
  state: 'pending' | 'delivered' | 'retrying' | 'dead' | undefined;
  webhookId: string | undefined;
  agentId: string | undefined;
  projectId: string | undefined;
};

/** The last row of a page of the operator's list. */
export type DeliveryPlace = { day: Date; eventId: string; webhookId: string };

/** Lists retry rows along the primary key of `webhook_retries`, newest event first. It never scans all attempts. */
export async function listWaited(
  db: Queryable,
  filter: DeliveryFilter,
  { after, limit }: { after: DeliveryPlace | null; limit: number },
): Promise<OperatorDeliveryRow[]> {
  const { webhookId, agentId, projectId } = filter;
  return await db<OperatorDeliveryRow[]>`
    select e.id as "eventId", r.webhook_id as "webhookId", e.project_id as "projectId", e.created_at as "createdAt",
      ${titleOf(db)}, ${retryColumns(db)}, w.agent_id as "agentId", a.name as "agentName", w.url
    from webhook_retries r join webhook_events e on e.id = r.event_id left join webhooks w on w.id = r.webhook_id
      left join agents a on a.id = w.agent_id
    where e.kind = 'PROJECT.OPEN' ${inState(db, filter.state)}
      ${webhookId === undefined ? db`` : db`and r.webhook_id = ${webhookId}`}
      ${agentId === undefined ? db`` : db`and r.webhook_id = (select id from webhooks where agent_id = ${agentId})`}
      ${projectId === undefined ? db`` : db`and e.project_id = ${projectId}`}
      ${after === null ? db`` : db`and (r.day, r.event_id, r.webhook_id) < (${after.day}, ${after.eventId}, ${after.webhookId})`}
    order by r.day desc, r.event_id desc, r.webhook_id desc limit ${limit}`;
}

function inState(db: Queryable, state: DeliveryFilter['state']) {
  const attempted = db`exists (
    select 1 from webhook_attempts a where a.webhook_id = r.webhook_id and a.event_id = e.id and a.at >= e.created_at)`;
  if (state === 'dead') return db`and r.dead_at is not null`;
  if (state === 'delivered') return db`and r.delivered_at is not null`;
  if (state === undefined) return db``;
  const waits = db`and r.dead_at is null and r.delivered_at is null`;
  return state === 'retrying' ? db`${waits} and ${attempted}` : db`${waits} and not ${attempted}`;
}
