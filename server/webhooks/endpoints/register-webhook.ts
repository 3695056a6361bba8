import { validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { OtherStatus } from '../../serve.ts';
import { filterOf } from './endpoint-changes.ts';
import { insertWebhook, lockWebhookOf, replaceWebhook, type WebhookRow } from './queries.ts';
import { shardOf } from '../sender/public.ts';
import { parkDeliveries } from '../trials/public.ts';
import { requireRoomAt } from './room-at-host.ts';
import { checkWebhookUrl, hostOf } from './webhook-url.ts';
import { shownWebhook, WALLET_EVENT } from './webhook-view.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';
import { PREVIOUS_SECRET_MS, SECRET_BYTES, shownSecret } from '../delivery/public.ts';

type Operation = typeof webhookOperations.registerWebhook;

/** Registers the agent's only webhook, or replaces its URL and secret. */
export async function registerWebhook(
  ctx: Context<AgentCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation> | OtherStatus<Output<Operation>>> {
  const { webhook_url: url, events } = body;
  const problem = checkWebhookUrl(url, ctx.config);
  if (problem !== null) throw validationError([{ field: 'webhook_url', message: problem }]);
  const secret = ctx.randomBytes(SECRET_BYTES);
  const now = ctx.clock.now();
  const { row, created } = await withTransaction(ctx.db, (tx) =>
    write(ctx, tx, { url, secret, walletEvents: events?.includes(WALLET_EVENT), now }),
  );
  const shown = {
    ...shownWebhook(row),
    ...shownSecret(secret),
  };
  if (created) {
    return { message: 'The webhook is registered. Store the secret now: it is shown only once.', ...shown };
  }
  return new OtherStatus({
    message: 'The webhook is replaced. Store the new secret now: it is shown only once.',
    ...shown,
  });
}

async function write(
  ctx: Context<AgentCaller>,
  tx: Tx,
  { url, secret, walletEvents, now }: { url: string; secret: Buffer; walletEvents: boolean | undefined; now: Date },
): Promise<{ row: WebhookRow; created: boolean }> {
  const { agentId } = ctx.caller;
  const existing = await lockWebhookOf(tx, agentId);
  const host = hostOf(url);
  const verifiedAt = existing?.url === url ? existing.verifiedAt : null;
  if (verifiedAt === null) await requireRoomAt(ctx, tx, { host, exceptId: existing?.id ?? null, field: 'webhook_url' });
  if (!existing) {
    const id = ctx.newId();
    const subscriber = await ctx.lockSubscriber(tx, agentId);
    if (!subscriber) throw new Error('the agent was deleted while its webhook was registered');
    const { tier, silentUntil, settings } = subscriber;
    const row = await insertWebhook(tx, {
      id,
      agentId,
      url,
      host,
      secret: ctx.webhookSecrets.seal(id, secret),
      shard: shardOf(tier, id),
      silentUntil,
      walletEvents: walletEvents ?? false,
      filter: filterOf(settings),
      now,
    });
    if (row) return { row, created: true };
  }
  // A concurrent first registration came before this one, so this one replaces its webhook.
  const replaced = existing ?? (await lockWebhookOf(tx, agentId));
  if (!replaced) throw new Error('the webhook was deleted while it was registered');
  const sealed = ctx.webhookSecrets.seal(replaced.id, secret);
  const previousUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
  // An event that was due at the replaced URL must not arrive at a URL that may not want it.
  if (verifiedAt === null) await parkDeliveries(tx, replaced.id, now);
  const replacement = { url, host, secret: sealed, previousUntil, verifiedAt, walletEvents, now };
  return { row: await replaceWebhook(tx, replaced.id, replacement), created: false };
}
