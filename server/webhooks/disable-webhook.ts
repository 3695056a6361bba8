import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { webhookOperations } from '../../contract/webhooks.ts';
import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../callers.ts';
import { disableEndpoint } from './change-endpoint.ts';
import { lockEndpoint } from './endpoint-queries.ts';
import { shownEndpoint } from './endpoint-view.ts';

type Operation = typeof webhookOperations.disableWebhook;

/** Disables an endpoint for the operator. */
export async function disableWebhook(
  ctx: Context<OperatorCaller>,
  { params: { webhook_id: id }, body: { reason } }: Input<Operation>,
): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await lockEndpoint(tx, { id });
    if (!found) throw new DomainError('NOT_FOUND', 'No such webhook.');
    if (found.status === 'disabled') return found;
    await recordAudit(ctx, tx, {
      at: now,
      actor: 'operator',
      action: 'webhook.disable',
      subject: `webhook:${id}`,
      reason,
      // Record only the origin, because the path or query may contain the endpoint's only secret.
      details: { [`${found.kind}_id`]: found.accountId, origin: new URL(found.url).origin },
    });
    return await disableEndpoint(ctx, tx, found, `the operator: ${reason}`);
  });
  return {
    message: 'The webhook is disabled. It receives no events until its owner registers or updates its URL again.',
    webhook: {
      ...shownEndpoint(row, now),
      agent_id: row.kind === 'agent' ? row.accountId : null,
      poster_id: row.kind === 'poster' ? row.accountId : null,
    },
  };
}
