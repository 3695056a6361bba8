import type { EndpointOperations } from '../../../contract/account-webhooks.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { sendTest } from '../endpoints/public.ts';
import { loggedEvent } from '../sender/public.ts';
import { accountOf, noEndpoint, type Owner } from './endpoint-view.ts';
import { findSecrets } from './queries.ts';

type Operation = EndpointOperations['test'];

/** Sends a test event, which is in no log. */
export async function testEndpoint(ctx: Context<Owner>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const endpoint = await findSecrets(ctx.db, accountOf(ctx.caller), params.webhook_id);
  if (!endpoint) throw noEndpoint();
  const at = ctx.clock.now();
  const data = JSON.stringify({
    webhook_id: endpoint.id,
    message: 'This event only shows that your endpoint can be reached.',
  });
  const event = loggedEvent({ id: ctx.newId(), type: 'TEST', occurredAt: at, data });
  return await sendTest(ctx, endpoint, event, at);
}
