import { type DeliveryRow, retryColumns, titleOf } from '../../webhooks/history/public.ts';
import type { Times } from '../../paging.ts';
import type { Queryable } from '../../ports/database.ts';

export type OperatorDeliveryRow = DeliveryRow & {
  /** The type of the event. */
  event: string;
  agentId: string | null;
  posterId: string | null;
  agentName: string | null;
  posterName: string | null;
  url: string | null;
};

export type DeliveryFilter = Times & {
  states: ('pending' | 'delivered' | 'retrying' | 'dead')[] | undefined;
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
  const { states, webhookId, agentId, projectId, since, before } = filter;
  return await db<OperatorDeliveryRow[]>`
    select r.event_id as "eventId", r.webhook_id as "webhookId", coalesce(e.kind, v.type) as event,
      e.project_id as "projectId", coalesce(e.created_at, v.occurred_at) as "createdAt", ${titleOf(db)},
      ${retryColumns(db)}, a.id as "agentId", p.id as "posterId", a.name as "agentName", p.name as "posterName", w.url
    from webhook_retries r
      left join webhook_events e on e.id = r.event_id and r.stream is null
      left join events v on v.id = r.event_id and v.stream = r.stream
      left join webhooks w on w.id = r.webhook_id
      left join agents a on a.id = coalesce(w.agent_id, ${ownerOf(db, 'agent')})
      left join posters p on p.id = ${ownerOf(db, 'poster')}
    where (e.kind = 'PROJECT.OPEN' or v.id is not null) ${states === undefined ? db`` : db`and ${stateOf(db)} = any(${states})`}
      ${webhookId === undefined ? db`` : db`and r.webhook_id = ${webhookId}`}
      ${agentId === undefined ? db`` : db`and r.webhook_id in (select id from webhooks where agent_id = ${agentId} or (account_kind = 'agent' and account_id = ${agentId}))`}
      ${projectId === undefined ? db`` : db`and (e.project_id = ${projectId} or v.data ->> 'project_id' = ${projectId})`}
      ${since === undefined ? db`` : db`and r.day >= (${since} at time zone 'UTC')::date and coalesce(e.created_at, v.occurred_at) >= ${since}`}
      ${before === undefined ? db`` : db`and r.day <= (${before} at time zone 'UTC')::date and coalesce(e.created_at, v.occurred_at) < ${before}`}
      ${after === null ? db`` : db`and (r.day, r.event_id, r.webhook_id) < (${after.day}, ${after.eventId}, ${after.webhookId})`}
    order by r.day desc, r.event_id desc, r.webhook_id desc limit ${limit}`;
}

/** The account of an event. Its stream names the account even after the webhook was deleted. */
function ownerOf(db: Queryable, kind: 'agent' | 'poster') {
  return db`case when split_part(r.stream, ':', 1) = ${kind} then split_part(r.stream, ':', 2)::uuid end`;
}

function stateOf(db: Queryable) {
  return db`case when r.dead_at is not null then 'dead' when r.delivered_at is not null then 'delivered'
    when exists (select 1 from webhook_attempts a where a.webhook_id = r.webhook_id and a.event_id = r.event_id
      and a.at >= coalesce(e.created_at, r.day::timestamp at time zone 'UTC')) then 'retrying' else 'pending' end`;
}
