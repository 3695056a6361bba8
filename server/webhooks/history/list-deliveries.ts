import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { listOfWebhook } from './delivery-list-queries.ts';
import { deliveriesSince, showDeliveries } from './delivery-view.ts';
import { findWebhookOf, noWebhook } from '../endpoints/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof webhookOperations.listDeliveries;

/** Lists the deliveries to the agent's webhook, newest event first. */
export async function listDeliveries(
  ctx: Context<AgentCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { limit, cursor } = query;
  const before = cursor === undefined ? null : decodeCursor(cursor).id;
  const webhook = await findWebhookOf(ctx.db, ctx.caller.agentId);
  if (!webhook) throw noWebhook();
  const since = deliveriesSince(ctx, webhook);
  const found = await listOfWebhook(ctx.db, webhook, { since, before, only: null, limit: limit + 1 });
  const page = pageOf(found, limit, ({ createdAt, eventId }) => ({ at: createdAt, id: eventId }));
  const shown = await showDeliveries(ctx.db, page.rows);
  return {
    deliveries: shown.map((each) => each.shown),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}
