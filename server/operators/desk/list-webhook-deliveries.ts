import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, encodeCursor, inRanges } from '../../paging.ts';
import { type DeliveryRow, stateOf } from '../../webhooks/public.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';
import { snakeCased } from '../../snake-case.ts';

type Operation = typeof webhookOperations.listWebhookDeliveries;

/** Returns the deliveries of all webhooks, or of one. */
export async function listWebhookDeliveries(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { limit, cursor } = query;
  const after = cursor === undefined ? null : decodeDeliveryCursor(cursor);
  const found = await listDeliveriesOfAll(ctx.reads, query, { after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit;
  return {
    deliveries: rows.map((row) => ({
      ...snakeCased(row),
      ...stateOf(row),
      id: row.eventId,
      event: row.type,
      webhook_id: row.endpointId,
      webhook_url: row.url,
    })),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeDeliveryCursor(last) : null,
  };
}

/** Encodes two positions at the time of the event: the event's, and within it the endpoint's. */
function encodeDeliveryCursor({ createdAt: at, eventId, endpointId }: OperatorDeliveryRow): string {
  return encodeCursor({ at, id: eventId }) + encodeCursor({ at, id: endpointId });
}

/** @throws DomainError INVALID_PARAMETER */
function decodeDeliveryCursor(cursor: string): DeliveryPlace {
  const event = decodeCursor(cursor.slice(0, cursor.length / 2));
  const endpoint = decodeCursor(cursor.slice(cursor.length / 2));
  return { at: event.at, eventId: event.id, endpointId: endpoint.id };
}

type OperatorDeliveryRow = DeliveryRow & {
  endpointId: string;
  projectId: string | null;
  projectTitle: string | null;
  agentId: string | null;
  posterId: string | null;
  agentName: string | null;
  posterName: string | null;
  url: string | null;
};

type DeliveryQuery = Input<Operation>['query'];

/** The last row of a page of the operator's list. */
type DeliveryPlace = { at: Date; eventId: string; endpointId: string };

/** Lists deliveries, newest event first, while the log has the event. Index webhook_deliveries_created. */
async function listDeliveriesOfAll(
  db: Queryable,
  query: DeliveryQuery,
  { after, limit }: { after: DeliveryPlace | null; limit: number },
): Promise<OperatorDeliveryRow[]> {
  const owner = (kind: string) => db`case when w.account_kind = ${kind} then w.account_id end`;
  const project = db`coalesce(v.data -> 'project' ->> 'id', v.data ->> 'project_id')`;
  const { state, webhook_id: webhookId, agent_id: agentId, project_id: projectId } = query;
  return await db<OperatorDeliveryRow[]>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId", d.type, ${project} as "projectId",
      coalesce(v.data -> 'project' ->> 'title', p.title) as "projectTitle", d.created_at as "createdAt", d.due_at as "dueAt",
      d.dead_at as "deadAt", d.delivered_at as "deliveredAt", d.attempts, a.id as "agentId", o.id as "posterId",
      a.name as "agentName", o.name as "posterName", w.url
    from webhook_deliveries d join events v on v.id = d.event_id and v.stream = d.stream
      left join webhook_endpoints w on w.id = d.endpoint_id
      left join agents a on a.id = ${owner('agent')} left join posters o on o.id = ${owner('poster')}
      left join projects p on p.id::text = ${project}
    where true ${state === undefined ? db`` : db`and ${stateIn(db)} = any(${state})`} ${webhookId === undefined ? db`` : db`and d.endpoint_id = ${webhookId}`}
      ${agentId === undefined ? db`` : db`and w.account_kind = 'agent' and w.account_id = ${agentId}`}
      ${projectId === undefined ? db`` : db`and ${project} = ${projectId}`}
      ${inRanges(db, query, { at: db`d.created_at` })}
      ${after === null ? db`` : db`and (d.created_at, d.event_id, d.endpoint_id) < (${after.at}, ${after.eventId}, ${after.endpointId})`}
    order by d.created_at desc, d.event_id desc, d.endpoint_id desc limit ${limit}`;
}

const stateIn = (db: Queryable) => db`
  case when d.dead_at is not null then 'dead' when d.delivered_at is not null then 'delivered'
    when d.attempts <> '[]'::jsonb then 'retrying' else 'pending' end`;
