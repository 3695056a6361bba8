import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { type AnnouncedProject, eventBody } from './announce-project.ts';
import { findEndpointOf } from './queries.ts';
import { markVerified } from '../trials/public.ts';
import { noWebhook } from './webhook-view.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { openSecrets, signableEvent, signDelivery } from '../delivery/public.ts';

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
  const secrets = openSecrets(ctx.webhookSecrets, endpoint, at);
  const signed = signDelivery(event, secrets, { at, serviceName: ctx.config.serviceName });
  const outcome = await ctx.deliverWebhook({ url: endpoint.url, ...signed });
  if (outcome.ok) await withTransaction(ctx.db, (tx) => markVerified(tx, [endpoint], ctx.clock.now()));
  return {
    message: outcome.ok ? 'The test event was delivered.' : 'The test event was not delivered.',
    delivered: outcome.ok,
    event_id: eventId,
    status: outcome.status,
    latency_ms: outcome.latencyMs,
    failure: outcome.failure,
    answer: outcome.answer,
  };
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
