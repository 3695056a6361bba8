import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { type DisabledWebhook, giveUpOn, tellDisabled } from '../sender/public.ts';
import { type AnyWebhookRow, lockWebhook, markDisabled } from './queries.ts';
import { shownState } from './webhook-view.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof webhookOperations.disableWebhook;

/** Disables a webhook for the operator. */
export async function disableWebhook(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const { webhook_id: id } = params;
  const reason = `the operator: ${body.reason}`;
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await lockWebhook(tx, id);
    if (!found) throw new DomainError('NOT_FOUND', 'No such webhook.');
    if (found.status === 'disabled') return found;
    const [disabled] = await Promise.all([
      markDisabled(tx, id, reason, now),
      giveUpOn(tx, [id], now),
      recordAudit(ctx, tx, {
        at: now,
        actor: 'operator',
        action: 'webhook.disable',
        subject: `webhook:${id}`,
        reason: body.reason,
        // Record only the origin, because the path or query may contain the endpoint's only secret.
        details: {
          ...(found.posterId ? { poster_id: found.posterId } : { agent_id: found.agentId }),
          origin: new URL(found.url).origin,
        },
      }),
      tellDisabled(ctx, tx, [disabledOf(found, reason)], now),
    ]);
    return disabled;
  });
  return {
    message: 'The webhook is disabled. It receives no events until its owner registers or updates its URL again.',
    webhook: {
      subscription_id: row.id,
      webhook_url: row.url,
      events: row.events,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      ...shownState(row),
      agent_id: row.agentId,
      poster_id: row.posterId,
    },
  };
}

function disabledOf({ id, url, agentId, posterId }: AnyWebhookRow, reason: string): DisabledWebhook {
  const accountId = posterId ?? agentId;
  if (accountId === null) throw new Error(`webhook ${id} belongs to no account`);
  return { id, url, reason, accountId, kind: posterId === null ? 'agent' : 'poster' };
}
