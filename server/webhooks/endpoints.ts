import { type EndpointOperations, MAX_ENDPOINTS } from '../../contract/account-webhooks.ts';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import type { Tx } from '../db/database.ts';
import { giveUpOn, startNext } from './delivery-queries.ts';
import {
  deleteEndpointRow,
  type EndpointChange,
  type EndpointRow,
  insertEndpoint,
  listEndpointRows,
  lockAccount,
  lockEndpoint,
  updateEndpointRow,
} from './endpoint-queries.ts';
import { accountOf, type EndpointCaller, noEndpoint, requireUrl, shownEndpoint } from './endpoint-view.ts';
import { PREVIOUS_SECRET_MS, SECRET_BYTES, shownSecret } from './secrets.ts';
import { requireRoomAt } from './trials.ts';
import { hostOf } from './webhook-url.ts';

type Ctx = Context<EndpointCaller>;

/** Adds an endpoint. It gets the events that are numbered from now on. */
export async function createEndpoint(
  ctx: Ctx,
  { body }: Input<EndpointOperations['create']>,
): Promise<Output<EndpointOperations['create']>> {
  const { url, types } = body;
  await requireUrl(url, 'url', ctx);
  const { kind, id: accountId } = accountOf(ctx.caller);
  const secret = ctx.randomBytes(SECRET_BYTES);
  const id = ctx.newId();
  const now = ctx.clock.now();
  const row = await withTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, { kind, id: accountId });
    const rows = await listEndpointRows(tx, { kind, id: accountId });
    if (rows.filter(({ specified }) => !specified).length >= MAX_ENDPOINTS)
      throw new DomainError(
        'WEBHOOK_LIMIT_REACHED',
        `This account has ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
      );
    const host = hostOf(url);
    await requireRoomAt(ctx, tx, { host, exceptId: null, field: 'url' });
    const sealed = ctx.webhookSecrets.seal(id, secret);
    return await insertEndpoint(tx, { id, kind, accountId, specified: false, url, host, types, secret: sealed, now });
  });
  return {
    message: 'The endpoint is added. Store the secret now: it is shown only once.',
    webhook: shownEndpoint(row, now),
    ...shownSecret(secret),
  };
}

/** Lists the account's endpoints, oldest first. */
export async function listEndpoints(ctx: Ctx): Promise<Output<EndpointOperations['list']>> {
  const rows = await listEndpointRows(ctx.db, accountOf(ctx.caller));
  const now = ctx.clock.now();
  return { webhooks: rows.map((row) => shownEndpoint(row, now)) };
}

/** Changes the URL, the types, or both. */
export async function updateEndpoint(
  ctx: Ctx,
  { params, body }: Input<EndpointOperations['update']>,
): Promise<Output<EndpointOperations['update']>> {
  const { url, types } = body;
  if (url !== undefined) await requireUrl(url, 'url', ctx);
  const now = ctx.clock.now();
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await lockOwn(ctx, tx, params.webhook_id);
    if (found.specified && types !== undefined)
      throw validationError([{ field: 'types', message: 'fixed for the webhook of POST /agents/webhooks/projects' }]);
    return url === undefined
      ? await updateEndpointRow(tx, found.id, { types, now })
      : await moveEndpoint(ctx, tx, found, { url, field: 'url', types, now });
  });
  return { webhook: shownEndpoint(row, now) };
}

/**
 * Sends to a URL from now on. A different one has yet to accept an event, so what was due at the old one waits.
 *
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
export async function moveEndpoint(
  ctx: Ctx,
  tx: Tx,
  found: EndpointRow,
  { url, field, ...change }: Omit<EndpointChange, 'url'> & { url: string; field: string },
): Promise<EndpointRow> {
  const host = hostOf(url);
  const verifiedAt = found.url === url ? found.verifiedAt : null;
  if (verifiedAt === null) await requireRoomAt(ctx, tx, { host, exceptId: found.id, field });
  const row = await updateEndpointRow(tx, found.id, { ...change, url: { url, host, verifiedAt } });
  if (verifiedAt === null) await startNext(tx, found.id, { park: true, now: change.now, at: change.now });
  return row;
}

/** Replaces the secret. The previous one signs for a day more. */
export async function rotateSecret(
  ctx: Ctx,
  { params }: Input<EndpointOperations['rotate']>,
): Promise<Output<EndpointOperations['rotate']>> {
  const now = ctx.clock.now();
  const secret = ctx.randomBytes(SECRET_BYTES);
  const row = await withTransaction(ctx.db, async (tx) => {
    const { id } = await lockOwn(ctx, tx, params.webhook_id);
    const previousUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    const sealed = ctx.webhookSecrets.seal(id, secret);
    return await updateEndpointRow(tx, id, { secret: { sealed, previousUntil }, now });
  });
  return {
    message: 'The secret is replaced. Store the new one now: it is shown only once.',
    webhook: shownEndpoint(row, now),
    ...shownSecret(secret),
  };
}

/** Deletes the endpoint and gives up what waits for it. */
export async function deleteEndpoint(
  ctx: Ctx,
  { params }: Input<EndpointOperations['remove']>,
): Promise<Output<EndpointOperations['remove']>> {
  await withTransaction(ctx.db, async (tx) => {
    const { id } = await lockOwn(ctx, tx, params.webhook_id);
    await Promise.all([giveUpOn(tx, id, ctx.clock.now()), deleteEndpointRow(tx, id)]);
  });
  return { message: 'The endpoint is deleted. It receives no more events.', webhook_id: params.webhook_id };
}

/** @throws DomainError NOT_FOUND */
async function lockOwn(ctx: Ctx, tx: Tx, id: string): Promise<EndpointRow> {
  const row = await lockEndpoint(tx, { account: accountOf(ctx.caller), id });
  if (!row) throw noEndpoint();
  return row;
}
