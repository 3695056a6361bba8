import type { endpointOperations } from '../../contract/account-webhooks.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { sampleProject } from '../../contract/webhook-events.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { recordHealth } from './change-endpoint.ts';
import { type EndpointCaller, ownEndpoint } from './endpoint-queries.ts';
import { openSecrets } from './secrets.ts';
import { sendEvent } from './send-event.ts';
import { countTrial, REQUESTS_PER_HOUR } from './trials.ts';

const TOO_MANY = `Your URL has not accepted an event yet, so it gets at most ${REQUESTS_PER_HOUR} requests an hour, tests and events together.`;
const BUSY_SECONDS = 5;
/** With the 5 s of a request, well below the time that an operation has. */
const WAIT_MS = 5_000;

/**
 * Sends a test event, which is in no log, once. Of its outcome only the first success of the URL counts. Before it, tests and
 * events are bounded together.
 *
 * @throws DomainError RATE_LIMIT_EXCEEDED
 */
export async function testEndpoint(
  ctx: Context<EndpointCaller>,
  { params }: Input<typeof endpointOperations.testAgentWebhook>,
): Promise<Output<typeof endpointOperations.testAgentWebhook>> {
  const endpoint = await ownEndpoint(ctx.caller, params.webhook_id, ctx.db);
  const hello = { webhook_id: endpoint.id, message: 'This event only shows that your endpoint can be reached.' };
  const data = JSON.stringify(endpoint.specified ? { project: sampleProject } : hello);
  const at = ctx.clock.now();
  const event = { id: ctx.newId(), type: 'TEST', occurredAt: at, data };
  const secrets = openSecrets(ctx.webhookSecrets, endpoint, at);
  const { until, forget } = await countTrial(ctx, endpoint);
  if (until) throw notSent(TOO_MANY, Math.ceil((until.getTime() - at.getTime()) / 1000));
  const made = await sendEvent(ctx, endpoint, event, { secrets, at, waitMs: WAIT_MS });
  if (!made) {
    await forget();
    throw notSent('The network of your URL gets as many requests at the moment as it may get.', BUSY_SECONDS);
  }
  if (!made.failure && !endpoint.verifiedAt)
    await withTransaction(ctx.db, (tx) => recordHealth(tx, endpoint, made, ctx.clock.now()));
  return {
    message: made.failure ? 'The test event was not delivered.' : 'The test event was delivered.',
    delivered: !made.failure,
    event_id: event.id,
    status: made.status,
    latency_ms: made.latencyMs,
    failure: made.failure,
    answer: made.answer,
  };
}

function notSent(reason: string, seconds: number): DomainError {
  const retryAfterSeconds = Math.max(1, seconds);
  const message = `The test event was not sent. ${reason} Try again in ${retryAfterSeconds} seconds.`;
  return new DomainError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}
