import type { EndpointOperations } from '../../contract/account-webhooks.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { withTransaction } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import { startWaiting } from './delivery-queries.ts';
import { type EndpointRow, findEndpoint, recordHealth } from './endpoint-queries.ts';
import { accountOf, type EndpointCaller, noEndpoint } from './endpoint-view.ts';
import { loggedEvent, specifiedEvent } from './event-body.ts';
import { sampleProject } from './sample-project.ts';
import { openSecrets } from './secrets.ts';
import { type SignableEvent, signDelivery } from './signature.ts';
import { endTest, REQUESTS_PER_HOUR, takeRequest, type TrialRefusal, type TrialRequest } from './trials.ts';

type Tested = Output<EndpointOperations['test']>;

/** Sends a test event, which is in no log. */
export async function testEndpoint(
  ctx: Context<EndpointCaller>,
  { params }: Input<EndpointOperations['test']>,
): Promise<Tested> {
  const account = accountOf(ctx.caller);
  const endpoint = await findEndpoint(ctx.db, { account, id: params.webhook_id });
  if (!endpoint) throw noEndpoint();
  const hello = { webhook_id: endpoint.id, message: 'This event only shows that your endpoint can be reached.' };
  const data = JSON.stringify(endpoint.specified ? { project: sampleProject } : hello);
  const event = { id: ctx.newId(), type: 'TEST', occurredAt: ctx.clock.now(), data };
  return await sendTest(ctx, endpoint, endpoint.specified ? specifiedEvent(event, account.id) : loggedEvent(event));
}

/**
 * Sends a test event once, without the sender and its retries. Of its outcome only the first success of the URL counts.
 * Before it, tests and events are bounded together.
 *
 * @throws DomainError RATE_LIMIT_EXCEEDED
 */
async function sendTest(ctx: Deps, endpoint: EndpointRow, event: SignableEvent): Promise<Tested> {
  const at = ctx.clock.now();
  const { id, url, verifiedAt } = endpoint;
  const request: TrialRequest = { endpointId: id, url, eventId: event.id, test: true };
  const refusal = verifiedAt ? null : await takeRequest(ctx, request);
  if (refusal) throw tooManyTests(refusal, at);
  const secrets = openSecrets(ctx.webhookSecrets, endpoint, at);
  const signed = signDelivery(event, secrets, { at, serviceName: ctx.config.serviceName });
  const { ok, status, latencyMs, failure, answer } = await ctx.deliverWebhook({ url, ...signed });
  if (!verifiedAt) await endTest(ctx.db, request);
  if (ok && !verifiedAt)
    await withTransaction(ctx.db, async (tx) => {
      const now = ctx.clock.now();
      if (await recordHealth(tx, { id, url, ok, slow: false }, now)) await startWaiting(tx, id, now);
    });
  return {
    message: ok ? 'The test event was delivered.' : 'The test event was not delivered.',
    delivered: ok,
    event_id: event.id,
    status,
    latency_ms: latencyMs,
    failure,
    answer,
  };
}

function tooManyTests({ why, until }: TrialRefusal, at: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
  const reasons = {
    endpoint: `Your URL has not accepted an event yet, so it gets at most ${REQUESTS_PER_HOUR} requests an hour, tests and events together.`,
    host: 'The host of your URL got as many requests in an hour as it may get at URLs that have not accepted an event.',
    busy: 'The host of your URL gets as many requests at the moment as it may get at URLs that have not accepted an event.',
  };
  return new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `The test event was not sent. ${reasons[why]} Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
