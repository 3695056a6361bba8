import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { recordEvents } from '../../events/public.ts';
import { disabledEvent, giveUpOn } from '../sender/public.ts';
import { lockWebhook, markDisabled } from './queries.ts';
import { shownState, shownWebhook } from './webhook-view.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof webhookOperations.disableWebhook;

/** Disables a webhook for the operator. */
export async function disableWebhook(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const { webhook_id: id } = params;
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await lockWebhook(tx, id);
    if (!found) throw new DomainError('NOT_FOUND', 'No such webhook.');
    if (found.status === 'disabled') return found;
    const [disabled] = await Promise.all([
      markDisabled(tx, id, `the operator: ${body.reason}`, now),
      giveUpOn(tx, [id], now),
      recordAudit(ctx, tx, {
        at: now,
        actor: 'operator',
        action: 'webhook.disable',
        subject: `webhook:${id}`,
        reason: body.reason,
        // Record only the origin, because the path or query may contain the endpoint's only secret.
        details: { agent_id: found.agentId, origin: new URL(found.url).origin },
      }),
      recordEvents(ctx, tx, now, [disabledEvent(found, `the operator: ${body.reason}`)]),
    ]);
    return disabled;
  });
  return {
    message: 'The webhook is disabled. It receives no events until its agent registers a URL again.',
    webhook: { ...shownWebhook(row), ...shownState(row), agent_id: row.agentId },
  };
}
