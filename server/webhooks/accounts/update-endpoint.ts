import type { EndpointOperations } from '../../../contract/account-webhooks.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import type { Tx } from '../../ports/database.ts';
import { PREVIOUS_SECRET_MS, SECRET_BYTES, shownSecret } from '../delivery/public.ts';
import { hostOf, requireRoomAt } from '../endpoints/public.ts';
import { giveUpOn } from '../sender/public.ts';
import { parkDeliveries } from '../trials/public.ts';
import { endpointAccountOf, noEndpoint, type EndpointCaller, requireUrl, shownEndpoint } from './endpoint-view.ts';
import { deleteEndpointRow, type EndpointRow, lockEndpoint, updateSecret, updateTypes, updateUrl } from './queries.ts';

/** Changes the URL, the types, or both. */
export async function updateEndpoint(
  ctx: Context<EndpointCaller>,
  { params, body }: Input<EndpointOperations['update']>,
): Promise<Output<EndpointOperations['update']>> {
  const { url, types } = body;
  if (url !== undefined) requireUrl(url, ctx);
  const now = ctx.clock.now();
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await lockOwn(ctx, tx, params.webhook_id);
    if (url !== undefined) await moveTo(ctx, tx, found, url, now);
    return await updateTypes(tx, found.id, { types, now });
  });
  return { webhook: shownEndpoint(row, now) };
}

async function moveTo(ctx: Context<EndpointCaller>, tx: Tx, found: EndpointRow, url: string, now: Date): Promise<void> {
  const host = hostOf(url);
  const verifiedAt = found.url === url ? found.verifiedAt : null;
  if (verifiedAt === null) {
    await requireRoomAt(ctx, tx, { host, exceptId: found.id, field: 'url' });
    // An event that was due at the replaced URL must not arrive at a URL that may not want it.
    await parkDeliveries(tx, found.id, now);
  }
  await updateUrl(tx, found.id, { url, host, verifiedAt, now });
}

/** Replaces the secret. The previous one signs for a day more. */
export async function rotateSecret(
  ctx: Context<EndpointCaller>,
  { params }: Input<EndpointOperations['rotate']>,
): Promise<Output<EndpointOperations['rotate']>> {
  const now = ctx.clock.now();
  const secret = ctx.randomBytes(SECRET_BYTES);
  const row = await withTransaction(ctx.db, async (tx) => {
    const { id } = await lockOwn(ctx, tx, params.webhook_id);
    const previousUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
    return await updateSecret(tx, id, { secret: ctx.webhookSecrets.seal(id, secret), previousUntil, now });
  });
  return {
    message: 'The secret is replaced. Store the new one now: it is shown only once.',
    webhook: shownEndpoint(row, now),
    ...shownSecret(secret),
  };
}

/** Deletes the endpoint. Its attempts stay until their partition is dropped. */
export async function deleteEndpoint(
  ctx: Context<EndpointCaller>,
  { params }: Input<EndpointOperations['remove']>,
): Promise<Output<EndpointOperations['remove']>> {
  await withTransaction(ctx.db, async (tx) => {
    const { id } = await lockOwn(ctx, tx, params.webhook_id);
    await Promise.all([giveUpOn(tx, [id], ctx.clock.now()), deleteEndpointRow(tx, id)]);
  });
  return { message: 'The endpoint is deleted. It receives no more events.', webhook_id: params.webhook_id };
}

/** @throws DomainError NOT_FOUND */
async function lockOwn(ctx: Context<EndpointCaller>, tx: Tx, id: string): Promise<EndpointRow> {
  const row = await lockEndpoint(tx, endpointAccountOf(ctx.caller), id);
  if (!row) throw noEndpoint();
  return row;
}
