import { type endpointOperations, MAX_ENDPOINTS } from '../../contract/account-webhooks.ts';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { webhookOperations } from '../../contract/webhooks.ts';
import { recordAudit } from '../audit/public.ts';
import type { AgentCaller, OperatorCaller } from '../callers.ts';
import type { Queryable } from '../db/database.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { OtherStatus } from '../serve.ts';
import { addEndpoint, disableEndpoint, moveEndpoint, requireUrl } from './change-endpoint.ts';
import { giveUpOn } from './delivery-queries.ts';
import {
  accountOf,
  type EndpointCaller,
  type EndpointRow,
  findEndpoint,
  listEndpointRows,
  lockAccount,
  lockEndpoint,
  ownEndpoint,
  saveEndpoint,
} from './endpoint-queries.ts';
import { newSecret, withSecret } from './secrets.ts';

type Ctx = Context<EndpointCaller>;

/** Adds an endpoint. It gets the events that are numbered from now on. */
export async function createEndpoint(
  ctx: Ctx,
  { body: { url, types } }: Input<typeof endpointOperations.createAgentWebhook>,
): Promise<Output<typeof endpointOperations.createAgentWebhook>> {
  await requireUrl(url, 'url', ctx);
  const account = accountOf(ctx.caller);
  return await runIdempotent(ctx, async (tx) => {
    await lockAccount(tx, account);
    const rows = await listEndpointRows(tx, account);
    if (rows.filter(({ specified }) => !specified).length >= MAX_ENDPOINTS)
      throw new DomainError(
        'WEBHOOK_LIMIT_REACHED',
        `This account has ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
      );
    const { row, shown } = await addEndpoint(ctx, tx, { account, specified: false, url, types, field: 'url' });
    return {
      message: 'The endpoint is added. Store the secret now: it is shown only once.',
      webhook: shownEndpoint(row, ctx.clock.now()),
      ...shown,
    };
  });
}

/** Lists the account's endpoints, oldest first. */
export async function listEndpoints(ctx: Ctx): Promise<Output<typeof endpointOperations.listAgentWebhooks>> {
  const rows = await listEndpointRows(ctx.db, accountOf(ctx.caller));
  const now = ctx.clock.now();
  return { webhooks: rows.map((row) => shownEndpoint(row, now)) };
}

/** Changes the URL, the types, or both. */
export async function updateEndpoint(
  ctx: Ctx,
  { params, body: { url, types } }: Input<typeof endpointOperations.updateAgentWebhook>,
): Promise<Output<typeof endpointOperations.updateAgentWebhook>> {
  if (url !== undefined) await requireUrl(url, 'url', ctx);
  const now = ctx.clock.now();
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await ownEndpoint(ctx.caller, params.webhook_id, tx, lockEndpoint);
    if (found.specified && types !== undefined)
      throw validationError([{ field: 'types', message: 'fixed for the webhook of POST /agents/webhooks/projects' }]);
    const changed = { ...found, types: types ?? found.types, updatedAt: now };
    return url === undefined
      ? await saveEndpoint(tx, changed)
      : await moveEndpoint(ctx, tx, changed, { url, field: 'url' });
  });
  return { webhook: shownEndpoint(row, now) };
}

/** Replaces the secret. The previous one signs for a day more. */
export async function rotateSecret(
  ctx: Ctx,
  { params: { webhook_id: id } }: Input<typeof endpointOperations.rotateAgentWebhookSecret>,
): Promise<Output<typeof endpointOperations.rotateAgentWebhookSecret>> {
  const now = ctx.clock.now();
  const { sealed, shown } = newSecret(ctx, id);
  return await runIdempotent(ctx, async (tx) => {
    const found = await ownEndpoint(ctx.caller, id, tx, lockEndpoint);
    const row = await saveEndpoint(tx, withSecret(found, sealed, now));
    const ended = found.previousUntil !== null && found.previousUntil > now ? ' The oldest one has ended early.' : '';
    return {
      message: `The secret is replaced.${ended} Store the new one now: it is shown only once.`,
      webhook: shownEndpoint(row, now),
      ...shown,
    };
  });
}

/** Deletes the endpoint and gives up what waits for it. */
export async function deleteEndpoint(
  ctx: Ctx,
  { params: { webhook_id: id } }: Input<typeof endpointOperations.deleteAgentWebhook>,
): Promise<Output<typeof endpointOperations.deleteAgentWebhook>> {
  await withTransaction(ctx.db, async (tx) => {
    await ownEndpoint(ctx.caller, id, tx, lockEndpoint);
    await Promise.all([giveUpOn(tx, id, ctx.clock.now()), tx`delete from webhook_endpoints where id = ${id}`]);
  });
  return { message: 'The endpoint is deleted. It receives no more events.', webhook_id: id };
}

type Register = typeof webhookOperations.registerWebhook;

/**
 * Registers the one webhook that the specification gives an agent, for new projects, or replaces its URL and secret. It is an
 * endpoint like the others, at a path of its own.
 */
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

type Disable = typeof webhookOperations.disableWebhook;

/** Disables an endpoint for the operator. */
export async function disableWebhook(
  ctx: Context<OperatorCaller>,
  { params: { webhook_id: id }, body: { reason } }: Input<Disable>,
): Promise<Output<Disable>> {
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

/** Returns the status of an endpoint. `failing`: events are sent, but deliveries fail. */
function statusOf({ status, failingSince }: Pick<EndpointRow, 'status' | 'failingSince'>) {
  return status === 'active' && failingSince !== null ? ('failing' as const) : status;
}

/** Returns an endpoint as the API returns it. */
function shownEndpoint(row: EndpointRow, now: Date) {
  const { previousUntil } = row;
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    specified: row.specified,
    status: statusOf(row),
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince,
    verified_at: row.verifiedAt,
    previous_secret_until: previousUntil !== null && previousUntil > now ? previousUntil : null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
