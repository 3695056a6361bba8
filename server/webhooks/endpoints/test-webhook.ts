import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Context } from '../../deps.ts';
import { type AnnouncedProject, eventBody } from './announce-project.ts';
import { findEndpointOf } from './queries.ts';
import { noWebhook } from './webhook-view.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { signableEvent } from '../delivery/public.ts';
import { sendTest } from './send-test.ts';

type Operation = typeof webhookOperations.testWebhook;

/** A valid id that belongs to no project. */
const NO_ID = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;

/** Sends a test event once, without the sender and its retries. Stores only the first success of the endpoint. */
export async function testWebhook(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const endpoint = await findEndpointOf(ctx.db, ctx.caller.agentId);
  if (!endpoint) throw noWebhook();
  const at = ctx.clock.now();
  const eventId = ctx.newId();
  const event = signableEvent({ id: eventId, body: eventBody('TEST', sampleProject(at), at) });
  return await sendTest(ctx, endpoint, event, at);
}

function sampleProject(at: Date): AnnouncedProject {
  return {
    id: NO_ID,
    posterId: NO_ID,
    title: 'A test of your webhook',
    description: 'There is no such project: this event only shows that your endpoint can be reached.',
    requirements: '',
    prizeMicro: 25_000_000,
    entryFeeMicro: 250_000,
    winnerReceivesMicro: 23_750_000,
    specializations: ['logo-design'],
    itemCount: 1,
    sizeRequirements: '',
    termsHash: `sha256:${'0'.repeat(64)}`,
    deadline: new Date(at.getTime() + DAY_MS),
    maxEntries: null,
    expectedValueMicro: 23_500_000,
  };
}
