import type { Input, Output } from '../../contract/basics/operation.ts';
import type { webhookOperations } from '../../contract/webhooks.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import type { AgentCaller } from '../callers.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { OtherStatus } from '../serve.ts';
import { type EndpointRow, findEndpoint, insertEndpoint, lockAccount, lockEndpoint } from './endpoint-queries.ts';
import { accountOf, requireUrl, specifiedEvents, statusOf, WALLET_TYPES } from './endpoint-view.ts';
import { moveEndpoint } from './endpoints.ts';
import { PREVIOUS_SECRET_MS, SECRET_BYTES, shownSecret } from './secrets.ts';
import { requireRoomAt } from './trials.ts';
import { hostOf } from './webhook-url.ts';

// The specification gives an agent one webhook, for new projects. It is an endpoint like the others, at a path of its own.

type Ctx = Context<AgentCaller>;
type Register = typeof webhookOperations.registerWebhook;

/** Registers the agent's only webhook, or replaces its URL and secret. */
export async function registerWebhook(
  ctx: Ctx,
  { body }: Input<Register>,
): Promise<Output<Register> | OtherStatus<Output<Register>>> {
  await requireUrl(body.webhook_url, 'webhook_url', ctx);
  const secret = ctx.randomBytes(SECRET_BYTES);
  const types = body.events && ['PROJECT.OPEN', ...(body.events.includes('WALLET.CHANGE') ? WALLET_TYPES : [])];
  const write = (tx: Tx) => writeWebhook(ctx, tx, { url: body.webhook_url, types, secret });
  const { row, created } = await withTransaction(ctx.db, write);
  const shown = {
    subscription_id: row.id,
    webhook_url: row.url,
    event_type: 'PROJECT.OPEN' as const,
    events: specifiedEvents(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    ...shownSecret(secret),
  };
  if (created) return { message: 'The webhook is registered. Store the secret now: it is shown only once.', ...shown };
  return new OtherStatus({
    message: 'The webhook is replaced. Store the new secret now: it is shown only once.',
    ...shown,
  });
}

async function writeWebhook(
  ctx: Ctx,
  tx: Tx,
  { url, types, secret }: { url: string; types: string[] | undefined; secret: Buffer },
): Promise<{ row: EndpointRow; created: boolean }> {
  const now = ctx.clock.now();
  const account = accountOf(ctx.caller);
  await lockAccount(tx, account);
  const existing = await lockEndpoint(tx, { account, specified: true });
  const id = existing?.id ?? ctx.newId();
  const sealed = ctx.webhookSecrets.seal(id, secret);
  if (existing) {
    const previousUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    const change = { url, field: 'webhook_url', types, secret: { sealed, previousUntil }, now };
    return { row: await moveEndpoint(ctx, tx, existing, change), created: false };
  }
  const host = hostOf(url);
  await requireRoomAt(ctx, tx, { host, exceptId: null, field: 'webhook_url' });
  const own = { id, kind: account.kind, accountId: account.id, specified: true };
  const added = { ...own, url, host, types: types ?? ['PROJECT.OPEN'], secret: sealed, now };
  return { row: await insertEndpoint(tx, added), created: true };
}

/** Returns the agent's webhooks as the profile lists them. An agent has at most one. */
export async function webhooksOf(db: Queryable, agentId: string) {
  const row = await findEndpoint(db, { account: { kind: 'agent', id: agentId }, specified: true });
  return row ? [{ id: row.id, url: row.url, events: specifiedEvents(row), status: statusOf(row) }] : [];
}
