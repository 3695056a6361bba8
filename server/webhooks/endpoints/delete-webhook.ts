import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { giveUpOn } from '../sender/public.ts';
import { deleteWebhookRow, lockWebhookOf } from './queries.ts';
import { noWebhook } from './webhook-view.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof webhookOperations.deleteWebhook;

/** Deletes the agent's webhook. Its attempts stay until their partition is dropped. */
export async function deleteWebhook(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const id = await withTransaction(ctx.db, async (tx) => {
    const row = await lockWebhookOf(tx, ctx.caller.agentId);
    if (!row) throw noWebhook();
    await Promise.all([giveUpOn(tx, [row.id], now), deleteWebhookRow(tx, row.id)]);
    return row.id;
  });
  return { message: 'The webhook is deleted. It receives no more events.', subscription_id: id };
}
