import type { Deps } from '../deps.ts';
import type { LoggedEvent } from '../events/public.ts';
import { traceHeaders, traced } from '../tracing.ts';
import type { EndpointRow } from './endpoint-queries.ts';
import { openSecrets } from './secrets.ts';
import { signableEvent, signDelivery } from './signature.ts';
import type { DeliveryOutcome } from './types.ts';

/**
 * Sends an event to an endpoint, in the trace of the request that caused it. Never throws. Null: its network has no room.
 *
 * @param waitMs how long to wait for room in the network of the endpoint, in place of 15 s
 */
export async function sendEvent(
  { config, log, webhookSecrets, deliverWebhook }: Pick<Deps, 'config' | 'log' | 'webhookSecrets' | 'deliverWebhook'>,
  endpoint: EndpointRow,
  event: LoggedEvent,
  { at, waitMs }: { at: Date; waitMs?: number },
): Promise<DeliveryOutcome | null> {
  const begins = event.trace ? { traceparent: event.trace } : null;
  const ids = { 'concours.event': event.type, 'concours.event_id': event.id, 'concours.webhook_id': endpoint.id };
  return await traced(`webhook ${event.type}`, { kind: 'client', begins, attributes: ids }, async (span) => {
    let outcome: DeliveryOutcome | null;
    try {
      const secrets = openSecrets(webhookSecrets, endpoint, at);
      const signed = signDelivery(signableEvent(event, endpoint.specified), secrets, {
        at,
        serviceName: config.serviceName,
      });
      const headers = { ...signed.headers, ...traceHeaders() };
      outcome = await deliverWebhook({ url: endpoint.url, headers, body: signed.body, waitMs });
    } catch (error) {
      // Most likely a secret that cannot be decrypted. It counts as a failed attempt, which the owner sees in its list.
      log.error({ webhookId: endpoint.id, err: error }, 'webhook could not be signed or sent');
      outcome = { status: null, failure: 'connection', latencyMs: 0, answer: null };
    }
    span.set({ 'http.response.status_code': outcome?.status ?? null, 'error.type': outcome?.failure ?? null });
    return outcome;
  });
}
