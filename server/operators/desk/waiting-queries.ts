import type { Input } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import { inRanges } from '../../paging.ts';
import type { Queryable } from '../../db/database.ts';
import type { DeliveryRow } from '../../webhooks/public.ts';

export type OperatorDeliveryRow = DeliveryRow & {
  endpointId: string;
  projectId: string | null;
  projectTitle: string | null;
  agentId: string | null;
  posterId: string | null;
  agentName: string | null;
  posterName: string | null;
  url: string | null;
};

type DeliveryQuery = Input<typeof webhookOperations.listWebhookDeliveries>['query'];

/** The last row of a page of the operator's list. */
export type DeliveryPlace = { at: Date; eventId: string; endpointId: string };

/** Lists deliveries, newest event first, while the log has the event. Index webhook_deliveries_created. */
export async function listDeliveriesOfAll(
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
    where true ${state === undefined ? db`` : db`and ${stateOf(db)} = any(${state})`} ${webhookId === undefined ? db`` : db`and d.endpoint_id = ${webhookId}`}
      ${agentId === undefined ? db`` : db`and w.account_kind = 'agent' and w.account_id = ${agentId}`}
      ${projectId === undefined ? db`` : db`and ${project} = ${projectId}`}
      ${inRanges(db, query, { at: db`d.created_at` })}
      ${after === null ? db`` : db`and (d.created_at, d.event_id, d.endpoint_id) < (${after.at}, ${after.eventId}, ${after.endpointId})`}
    order by d.created_at desc, d.event_id desc, d.endpoint_id desc limit ${limit}`;
}

const stateOf = (db: Queryable) => db`
  case when d.dead_at is not null then 'dead' when d.delivered_at is not null then 'delivered'
    when d.attempts <> '[]'::jsonb then 'retrying' else 'pending' end`;
