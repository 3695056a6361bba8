import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { OtherStatus } from '../../serve.ts';
import { filterOf } from './endpoint-changes.ts';
import { insertWebhook, lockWebhookOf, replaceWebhook, type WebhookRow } from './queries.ts';
import { shardOf } from '../sender/public.ts';
import { countUnverified, parkDeliveries } from '../trials/public.ts';
import { checkWebhookUrl, hostOf, isThisMachine } from './webhook-url.ts';
import { shownWebhook, WALLET_EVENT } from './webhook-view.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';
import { SECRET_BYTES } from '../delivery/public.ts';

type Operation = typeof webhookOperations.registerWebhook;

/** The previous secret signs for one more day, so that receivers can switch to the new one. */
const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

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
    webhook_secret: secret.toString('hex'),
    // Standard Webhooks: the prefix, then the key's bytes.
    signing_secret: `whsec_${secret.toString('base64')}`,
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
  if (verifiedAt === null) await requireRoom(ctx, tx, host);
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

/**
 * Checks that the host has few endpoints that never succeeded, because they may all belong to somebody who never asked for
 * events. The receivers on the machine of a development start are the developer's own.
 *
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
async function requireRoom({ caller, config }: Context<AgentCaller>, tx: Tx, host: string): Promise<void> {
  if (config.development && isThisMachine(host)) return;
  const { unverifiedPerHost } = config.webhooks;
  if ((await countUnverified(tx, host, caller.agentId)) < unverifiedPerHost) return;
  throw new DomainError(
    'WEBHOOK_HOST_LIMIT',
    `${unverifiedPerHost} webhooks at ${host} have not accepted an event yet. Register again after one of them has.`,
    { details: [{ field: 'webhook_url', message: 'a host with fewer webhooks that have not accepted an event' }] },
  );
}
