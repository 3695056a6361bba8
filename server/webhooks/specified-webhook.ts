import type { Input, Output } from '../../contract/basics/operation.ts';
import type { webhookOperations } from '../../contract/webhooks.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import type { AgentCaller } from '../callers.ts';
import type { Queryable } from '../db/database.ts';
import { OtherStatus } from '../serve.ts';
import { addEndpoint, moveEndpoint, requireUrl } from './change-endpoint.ts';
import { findEndpoint, lockAccount, lockEndpoint } from './endpoint-queries.ts';
import { accountOf, statusOf } from './endpoint-view.ts';
import { newSecret, withSecret } from './secrets.ts';

// The specification gives an agent one webhook, for new projects. It is an endpoint like the others, at a path of its own.

type Register = typeof webhookOperations.registerWebhook;

/** Registers the agent's only webhook, or replaces its URL and secret. */
export async function registerWebhook(
  ctx: Context<AgentCaller>,
  { body: { webhook_url: url } }: Input<Register>,
): Promise<Output<Register> | OtherStatus<Output<Register>>> {
  const field = 'webhook_url';
  await requireUrl(url, field, ctx);
  const account = accountOf(ctx.caller);
  const { row, shown, created } = await withTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, account);
    const existing = await lockEndpoint(tx, { account, specified: true });
    if (!existing)
      return {
        created: true,
        ...(await addEndpoint(ctx, tx, { account, specified: true, url, types: ['PROJECT.OPEN'], field })),
      };
    const { sealed, shown: secret } = newSecret(ctx, existing.id);
    const changed = withSecret(existing, sealed, ctx.clock.now());
    return { created: false, row: await moveEndpoint(ctx, tx, changed, { url, field }), shown: secret };
  });
  const answer = {
    message: `The webhook is ${created ? 'registered. Store the secret' : 'replaced. Store the new secret'} now: it is shown only once.`,
    subscription_id: row.id,
    webhook_url: row.url,
    event_type: 'PROJECT.OPEN' as const,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    ...shown,
  };
  return created ? answer : new OtherStatus(answer);
}

/** Returns the agent's webhooks as the profile lists them. An agent has at most one. */
export async function webhooksOf(db: Queryable, agentId: string) {
  const row = await findEndpoint(db, { account: { kind: 'agent', id: agentId }, specified: true });
  return row ? [{ id: row.id, url: row.url, events: row.types, status: statusOf(row) }] : [];
}
