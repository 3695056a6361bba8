import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, encodeCursor } from '../../paging.ts';
import { stateOf } from '../../webhooks/public.ts';
import { type DeliveryPlace, listDeliveriesOfAll, type OperatorDeliveryRow } from './waiting-queries.ts';
import type { OperatorCaller } from '../../callers.ts';
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
