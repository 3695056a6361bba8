import type { Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { openSecrets, type SealedSecrets, type SignableEvent, signDelivery } from '../delivery/public.ts';
import { markVerified } from '../trials/public.ts';

type TestDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'webhookSecrets' | 'deliverWebhook'>;

/** Sends a test event once, without the sender and its retries. Stores only the first success of the endpoint. */
export async function sendTest(
  deps: TestDeps,
  endpoint: SealedSecrets & { url: string },
  event: SignableEvent,
  at: Date,
): Promise<Output<typeof webhookOperations.testWebhook>> {
  const secrets = openSecrets(deps.webhookSecrets, endpoint, at);
  const signed = signDelivery(event, secrets, { at, serviceName: deps.config.serviceName });
  const outcome = await deps.deliverWebhook({ url: endpoint.url, ...signed });
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
