import type { Deps } from '../deps.ts';
import type { LoggedEvent } from '../events/public.ts';
import { traceHeaders, traced } from '../tracing.ts';
import type { EndpointRow } from './endpoint-queries.ts';
import { openSecrets } from './secrets.ts';
import { signableEvent, signDelivery } from './signature.ts';
import type { DeliveryOutcome } from './types.ts';

export type SendDeps = Pick<Deps, 'config' | 'log' | 'webhookSecrets' | 'deliverWebhook'>;

/** `waitMs`: how long to wait for room in the network of the endpoint, in place of 15 s. */
type Sending = { at: Date; waitMs?: number | undefined };

/** Sends an event to an endpoint, in the trace of the request that caused it. Never throws. Null: its network has no room. */
export async function sendEvent(
  deps: SendDeps,
  endpoint: EndpointRow,
  event: LoggedEvent,
  { at, waitMs }: Sending,
): Promise<DeliveryOutcome | null> {
  const begins = event.trace ? { traceparent: event.trace } : null;
  const attributes = {
    'concours.event': event.type,
    'concours.event_id': event.id,
    'concours.webhook_id': endpoint.id,
  };
  return await traced(`webhook ${event.type}`, { kind: 'client', begins, attributes }, async (span) => {
    const outcome = await signAndPost(deps, endpoint, event, { at, waitMs });
    span.set({ 'http.response.status_code': outcome?.status ?? null, 'error.type': outcome?.failure ?? null });
    return outcome;
  });
}

async function signAndPost(
  { config, log, webhookSecrets, deliverWebhook }: SendDeps,
  endpoint: EndpointRow,
  event: LoggedEvent,
  { at, waitMs }: Sending,
): Promise<DeliveryOutcome | null> {
  try {
    const secrets = openSecrets(webhookSecrets, endpoint, at);
    const signable = signableEvent(event, endpoint.specified);
    const { headers, body } = signDelivery(signable, secrets, { at, serviceName: config.serviceName });
    return await deliverWebhook({ url: endpoint.url, headers: { ...headers, ...traceHeaders() }, body, waitMs });
  } catch (error) {
    // Most likely a secret that cannot be decrypted. It counts as a failed attempt, which the owner sees in its list.
    log.error({ webhookId: endpoint.id, err: error }, 'webhook could not be signed or sent');
    return { ok: false, status: null, failure: 'connection', latencyMs: 0, answer: null };
  }
}
