import type { EndpointOperations } from '../../../contract/account-webhooks.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { endpointAccountOf, noEndpoint, type EndpointCaller, shownEndpoint } from './endpoint-view.ts';
import { findEndpoint, listEndpointRows } from './queries.ts';

/** Returns the account's endpoints, oldest first. */
export async function listEndpoints(ctx: Context<EndpointCaller>): Promise<Output<EndpointOperations['list']>> {
  const rows = await listEndpointRows(ctx.db, endpointAccountOf(ctx.caller));
  const now = ctx.clock.now();
  return { webhooks: rows.map((row) => shownEndpoint(row, now)) };
}

/** Returns one of the account's endpoints. */
export async function getEndpoint(
  ctx: Context<EndpointCaller>,
  { params }: Input<EndpointOperations['get']>,
): Promise<Output<EndpointOperations['get']>> {
  const row = await findEndpoint(ctx.db, endpointAccountOf(ctx.caller), params.webhook_id);
  if (!row) throw noEndpoint();
  return { webhook: shownEndpoint(row, ctx.clock.now()) };
}
