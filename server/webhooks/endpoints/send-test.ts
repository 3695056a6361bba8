import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { openSecrets, type SealedSecrets, type SignableEvent, signDelivery } from '../delivery/public.ts';
import { markVerified, REQUESTS_PER_HOUR, TrialRequest } from '../trials/public.ts';

type TestDeps = Pick<
  Deps,
  'db' | 'clock' | 'newId' | 'config' | 'log' | 'webhookSecrets' | 'webhookNetwork' | 'deliverWebhook'
>;

/** Where a test is sent. `verified`: the URL has accepted an event before. */
export type TestedEndpoint = SealedSecrets & { url: string; verified: boolean };

/**
 * Sends a test event once, without the sender and its retries. Stores only the first success of the endpoint. Before it,
 * tests and events count together.
 *
 * @throws DomainError RATE_LIMIT_EXCEEDED
 */
export async function sendTest(
  deps: TestDeps,
  endpoint: TestedEndpoint,
  event: SignableEvent,
  at: Date,
): Promise<Output<typeof webhookOperations.testWebhook>> {
  const turn = endpoint.verified ? null : new TrialRequest(deps, endpoint);
  if (turn) await takeTurn(deps, turn, endpoint.url);
  const secrets = openSecrets(deps.webhookSecrets, endpoint, at);
  const signed = signDelivery(event, secrets, { at, serviceName: deps.config.serviceName });
  const outcome = await deps.deliverWebhook({ url: endpoint.url, ...signed });
  await turn?.end(outcome.ok);
  if (outcome.ok) await withTransaction(deps.db, (tx) => markVerified(tx, [endpoint], deps.clock.now()));
  return {
    message: outcome.ok ? 'The test event was delivered.' : 'The test event was not delivered.',
    delivered: outcome.ok,
    event_id: event.id,
    status: outcome.status,
    latency_ms: outcome.latencyMs,
    failure: outcome.failure,
    answer: outcome.answer,
  };
}

async function takeTurn({ webhookNetwork, clock }: TestDeps, turn: TrialRequest, url: string): Promise<void> {
  // The attempt itself reports why a URL leads nowhere.
  const network = await webhookNetwork(url).catch(() => null);
  if ((await turn.take(network)) || !turn.refusal) return;
  const { why, until } = turn.refusal;
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - clock.now().getTime()) / 1000));
  const reasons = {
    endpoint: `Your URL has not accepted an event yet, so it gets at most ${REQUESTS_PER_HOUR} requests an hour, tests and events together.`,
    host: 'The host of your URL got as many requests in an hour as it may get at URLs that have not accepted an event.',
    busy: 'The host of your URL gets as many requests at the moment as it may get at URLs that have not accepted an event.',
  };
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `The test event was not sent. ${reasons[why]} Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
