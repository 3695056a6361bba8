import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { findWebhookOf } from './queries.ts';
import { noWebhook, shownState, shownWebhook } from './webhook-view.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof webhookOperations.getWebhook;

/** Returns the agent's webhook. */
export async function getWebhook(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const row = await findWebhookOf(ctx.db, ctx.caller.agentId);
  if (!row) throw noWebhook();
  const { previousUntil } = row;
  const previousSigns = previousUntil !== null && previousUntil > ctx.clock.now();
  return { ...shownWebhook(row), ...shownState(row), previous_secret_until: previousSigns ? previousUntil : null };
}
