import { type EndpointOperations, MAX_ENDPOINTS } from '../../../contract/account-webhooks.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import type { Tx } from '../../ports/database.ts';
import { SECRET_BYTES, shownSecret } from '../delivery/public.ts';
import { hostOf, requireRoomAt } from '../endpoints/public.ts';
import { endpointAccountOf, type EndpointCaller, requireUrl, shownEndpoint } from './endpoint-view.ts';
import { countEndpoints, type EndpointRow, insertEndpoint } from './queries.ts';

type Operation = EndpointOperations['create'];

/** Adds an endpoint. It gets the events that are numbered from now on. */
export async function createEndpoint(
  ctx: Context<EndpointCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  requireUrl(body.url, ctx);
  const secret = ctx.randomBytes(SECRET_BYTES);
  const row = await withTransaction(ctx.db, (tx) => insertWithinLimits(ctx, tx, { ...body, secret }));
  return {
    message: 'The endpoint is added. Store the secret now: it is shown only once.',
    webhook: shownEndpoint(row, ctx.clock.now()),
    ...shownSecret(secret),
  };
}

async function insertWithinLimits(
  ctx: Context<EndpointCaller>,
  tx: Tx,
  { url, types, secret }: { url: string; types: string[]; secret: Buffer },
): Promise<EndpointRow> {
  const account = endpointAccountOf(ctx.caller);
  if ((await countEndpoints(tx, account)) >= MAX_ENDPOINTS)
    throw new DomainError(
      'WEBHOOK_LIMIT_REACHED',
      `This account has ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
    );
  const host = hostOf(url);
  await requireRoomAt(ctx, tx, { host, exceptId: null, field: 'url' });
  // Locks the agent's row until the commit. A concurrent change of the tier waits, and then updates this endpoint too.
  const subscriber = account.kind === 'agent' ? await ctx.lockSubscriber(tx, account.id) : null;
  const id = ctx.newId();
  return await insertEndpoint(tx, {
    id,
    account,
    url,
    host,
    secret: ctx.webhookSecrets.seal(id, secret),
    types,
    elite: subscriber?.tier === 'elite',
    now: ctx.clock.now(),
  });
}
