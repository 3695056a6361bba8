import { type EndpointOperations, MAX_ENDPOINTS } from '../../contract/account-webhooks.ts';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { addEndpoint, moveEndpoint, requireUrl } from './change-endpoint.ts';
import { giveUpOn } from './delivery-queries.ts';
import { listEndpointRows, lockAccount, lockEndpoint, saveEndpoint } from './endpoint-queries.ts';
import { accountOf, type EndpointCaller, ownEndpoint, shownEndpoint } from './endpoint-view.ts';
import { newSecret, withSecret } from './secrets.ts';

type Ctx = Context<EndpointCaller>;

/** Adds an endpoint. It gets the events that are numbered from now on. */
export async function createEndpoint(
  ctx: Ctx,
  { body: { url, types } }: Input<EndpointOperations['create']>,
): Promise<Output<EndpointOperations['create']>> {
  await requireUrl(url, 'url', ctx);
  const account = accountOf(ctx.caller);
  const { row, shown } = await withTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, account);
    const rows = await listEndpointRows(tx, account);
    if (rows.filter(({ specified }) => !specified).length >= MAX_ENDPOINTS)
      throw new DomainError(
        'WEBHOOK_LIMIT_REACHED',
        `This account has ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
      );
    return await addEndpoint(ctx, tx, { account, specified: false, url, types, field: 'url' });
  });
  return {
    message: 'The endpoint is added. Store the secret now: it is shown only once.',
    webhook: shownEndpoint(row, ctx.clock.now()),
    ...shown,
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
  { params, body: { url, types } }: Input<EndpointOperations['update']>,
): Promise<Output<EndpointOperations['update']>> {
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
  { params: { webhook_id: id } }: Input<EndpointOperations['rotate']>,
): Promise<Output<EndpointOperations['rotate']>> {
  const now = ctx.clock.now();
  const { sealed, shown } = newSecret(ctx, id);
  const row = await withTransaction(ctx.db, async (tx) =>
    saveEndpoint(tx, withSecret(await ownEndpoint(ctx.caller, id, tx, lockEndpoint), sealed, now)),
  );
  return {
    message: 'The secret is replaced. Store the new one now: it is shown only once.',
    webhook: shownEndpoint(row, now),
    ...shown,
  };
}

/** Deletes the endpoint and gives up what waits for it. */
export async function deleteEndpoint(
  ctx: Ctx,
  { params: { webhook_id: id } }: Input<EndpointOperations['remove']>,
): Promise<Output<EndpointOperations['remove']>> {
  await withTransaction(ctx.db, async (tx) => {
    await ownEndpoint(ctx.caller, id, tx, lockEndpoint);
    await Promise.all([giveUpOn(tx, id, ctx.clock.now()), tx`delete from webhook_endpoints where id = ${id}`]);
  });
  return { message: 'The endpoint is deleted. It receives no more events.', webhook_id: id };
}
