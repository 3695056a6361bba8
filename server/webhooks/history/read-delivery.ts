import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { sentRequest } from '../delivery/public.ts';
import { eventFor, readEvent } from '../sender/public.ts';
import { findWebhookOf, noWebhook } from '../endpoints/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { listOfWebhook } from './delivery-list-queries.ts';
import { deliveriesSince, noDelivery, showDeliveries } from './delivery-view.ts';

type Operation = typeof webhookOperations.getWebhookDelivery;

/** Returns a delivery to the agent's webhook, with what its requests carried. */
export async function readDelivery(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { delivery_id: eventId } = params;
  const webhook = await findWebhookOf(ctx.db, ctx.caller.agentId);
  if (!webhook) throw noWebhook();
  const since = deliveriesSince(ctx, webhook);
  const rows = await listOfWebhook(ctx.db, webhook, { since, before: null, only: eventId, limit: 1 });
  const [found] = await showDeliveries(ctx.db, rows);
  const event = found && (await readEvent(ctx.db, eventId));
  if (!event) throw noDelivery();
  return { delivery: found.shown, request: sentRequest(eventFor(eventId, event, webhook.shard)) };
}
