import type { EndpointOperations } from '../../../contract/account-webhooks.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { sendTest } from '../endpoints/public.ts';
import { loggedEvent } from '../sender/public.ts';
import { endpointAccountOf, noEndpoint, type EndpointCaller } from './endpoint-view.ts';
import { findSecrets } from './queries.ts';
import { sampleData } from './sample-event.ts';

type Operation = EndpointOperations['test'];

/** Sends a test event, which is in no log: one of the type `TEST`, or a sample of another type. */
export async function testEndpoint(
  ctx: Context<EndpointCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const account = endpointAccountOf(ctx.caller);
  const endpoint = await findSecrets(ctx.db, account, params.webhook_id);
  if (!endpoint) throw noEndpoint();
  const at = ctx.clock.now();
  const sample = body?.type === undefined ? undefined : sampleData(account.kind, body.type);
  const hello = { webhook_id: endpoint.id, message: 'This event only shows that your endpoint can be reached.' };
  const event = loggedEvent({
    id: ctx.newId(),
    type: sample && body?.type ? body.type : 'TEST',
    occurredAt: at,
    data: JSON.stringify(sample ?? hello),
    ...(sample ? { isTest: true } : {}),
  });
  return await sendTest(ctx, endpoint, event, at);
}
