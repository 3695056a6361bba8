import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, encodeCursor } from '../../paging.ts';
import { showDeliveries } from '../../webhooks/history/public.ts';
import { type DeliveryPlace, listWaited, type OperatorDeliveryRow } from './waiting-queries.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof webhookOperations.listWebhookDeliveries;

const DAY_MS = 86_400_000;

/** Returns the deliveries that did not succeed at once, of all webhooks or of one. */
export async function listWebhookDeliveries(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const {
    state: states,
    since,
    before,
    webhook_id: webhookId,
    agent_id: agentId,
    project_id: projectId,
    limit,
    cursor,
  } = query;
  const after = cursor === undefined ? null : decodeDeliveryCursor(cursor);
  const found = await listWaited(
    ctx.views,
    { states, webhookId, agentId, projectId, since, before },
    { after, limit: limit + 1 },
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit;
  const shown = await showDeliveries(ctx.views, rows);
  return {
    deliveries: shown.map(({ row, shown: delivery }) => ({
      ...delivery,
      event: row.event,
      poster_id: row.posterId,
      webhook_id: row.webhookId,
      agent_id: row.agentId,
      agent_name: row.agentName,
      poster_name: row.posterName,
      webhook_url: row.url,
    })),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeDeliveryCursor(last) : null,
  };
}

/** Encodes two positions on the day of the event: the event's, and within it the webhook's. */
function encodeDeliveryCursor({ createdAt, eventId, webhookId }: OperatorDeliveryRow): string {
  const day = new Date(createdAt.getTime() - (createdAt.getTime() % DAY_MS));
  return encodeCursor({ at: day, id: eventId }) + encodeCursor({ at: day, id: webhookId });
}

/** @throws DomainError INVALID_PARAMETER */
function decodeDeliveryCursor(cursor: string): DeliveryPlace {
  const event = decodeCursor(cursor.slice(0, cursor.length / 2));
  const webhook = decodeCursor(cursor.slice(cursor.length / 2));
  return { day: event.at, eventId: event.id, webhookId: webhook.id };
}
