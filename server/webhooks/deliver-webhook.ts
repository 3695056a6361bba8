import type { PostClient } from '../outbound/public.ts';
import type { DeliverWebhook, DeliveryOutcome } from './types.ts';

/** A delivery succeeds with any 2xx status and one of these types, whatever the body says. An empty body needs no type. */
const ACCEPTED_TYPES = ['text/plain', 'application/json'];

/** Delivers over the client, and judges the response by the rules for webhook receivers. */
export function createDeliverWebhook({ post }: Pick<PostClient, 'post'>): DeliverWebhook {
  return async (delivery) => {
    const { status, contentType, text, failure: requestFailure, latencyMs, network } = await post(delivery);
    // The head of a response says more than the way its body ended.
    const failure = (status === null ? null : responseFailure(status, contentType, text)) ?? requestFailure;
    return { ok: failure === null, status, failure, latencyMs, answer: text, network };
  };
}

function responseFailure(status: number, contentType: string | null, text: string | null): DeliveryOutcome['failure'] {
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400) return 'status';
  if (status === 204 || (contentType === null && text === '')) return null;
  const [mediaType = ''] = contentType?.split(';') ?? [];
  return ACCEPTED_TYPES.includes(mediaType.trim()) ? null : 'content_type';
}
