import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { type DeliveryRow, dueAgain, dueEarlier, listOfWebhook } from './delivery-list-queries.ts';
import { deliveriesSince, noDelivery, showDeliveries } from './delivery-view.ts';
import { lockWebhookOf, type WebhookRow, noWebhook } from '../endpoints/public.ts';
import { retryPriority } from '../sender/public.ts';
import { wakeTrials } from '../trials/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

type Operation = typeof webhookOperations.replayDelivery;

/** Makes a delivery due now, once more. */
export async function replayDelivery(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { delivery_id: eventId } = params;
  const webhook = await withTransaction(ctx.db, async (tx) => {
    const found = await lockWebhookOf(tx, ctx.caller.agentId);
    if (!found) throw noWebhook();
    await makeDue(ctx, tx, { webhook: found, eventId });
    return found;
  });
  const [shown] = await showDeliveries(ctx.db, [await findDelivery(ctx, ctx.db, { webhook, eventId })]);
  if (!shown) throw noDelivery();
  const message = webhook.verifiedAt
    ? 'The delivery is due now.'
    : 'The delivery waits for its turn: your URL has not accepted an event yet. Send a TEST event to it.';
  return { message, delivery: shown.shown };
}

async function makeDue(
  ctx: Context<AgentCaller>,
  tx: Tx,
  { webhook, eventId }: { webhook: WebhookRow; eventId: string },
): Promise<void> {
  const row = await findDelivery(ctx, tx, { webhook, eventId });
  if (webhook.status === 'disabled')
    throw new DomainError('WEBHOOK_DISABLED', 'This webhook is disabled. Register its URL again, then replay.');
  const [delivery] = await showDeliveries(tx, [row]);
  const now = ctx.clock.now();
  const state = delivery?.shown.state;
  if (state === 'dead' || state === 'delivered') {
    await dueAgain(tx, { eventId, webhookId: webhook.id, priority: retryPriority(webhook.shard), now });
    await wakeTrials(tx, [webhook.id], now);
  }
  // A pending delivery without a row is still ahead of its fan-out, which sends it. An endpoint that never succeeded keeps
  // its schedule, or agents could send to it as often as they replay.
  else if (webhook.verifiedAt) await dueEarlier(tx, row, now);
}

async function findDelivery(
  ctx: Context<AgentCaller>,
  db: Queryable,
  { webhook, eventId }: { webhook: WebhookRow; eventId: string },
): Promise<DeliveryRow> {
  const since = deliveriesSince(ctx, webhook);
  const [row] = await listOfWebhook(db, webhook, { since, before: null, only: eventId, limit: 1 });
  if (!row) throw noDelivery();
  return row;
}
