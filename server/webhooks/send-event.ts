import type { Deps } from '../deps.ts';
import type { LoggedEvent } from '../events/public.ts';
import { traceHeaders, traced } from '../tracing.ts';
import type { EndpointRow } from './endpoint-queries.ts';
import { signableEvent, signDelivery, type SigningSecrets } from './signature.ts';
import type { DeliveryOutcome } from './types.ts';

/**
 * Sends an event to an endpoint, in the trace of the request that caused it. Null: its network has no room.
 *
 * @param waitMs how long to wait for room in the network of the endpoint, in place of 15 s
 */
export async function sendEvent(
  { config: { serviceName }, deliverWebhook }: Pick<Deps, 'config' | 'deliverWebhook'>,
  { id, url, specified }: EndpointRow,
  event: LoggedEvent,
  { secrets, at, waitMs }: { secrets: SigningSecrets; at: Date; waitMs?: number },
): Promise<DeliveryOutcome | null> {
  const begins = event.trace ? { traceparent: event.trace } : null;
  const ids = { 'concours.event': event.type, 'concours.event_id': event.id, 'concours.webhook_id': id };
  return await traced(`webhook ${event.type}`, { kind: 'client', begins, attributes: ids }, async (span) => {
    const { headers: own, body } = signDelivery(signableEvent(event, specified), secrets, { at, serviceName });
    const outcome = await deliverWebhook({ url, headers: { ...own, ...traceHeaders() }, body, waitMs });
    span.set({ 'http.response.status_code': outcome?.status ?? null, 'error.type': outcome?.failure ?? null });
    return outcome;
  });
}
