import type { SignableEvent } from './signature.ts';

type SentRequest = { method: 'POST'; headers: Record<string, string>; body: string };

/** Returns what each attempt of a delivery sends, without the signatures and the time of the attempt. */
export function sentRequest({ id, before, after }: SignableEvent): SentRequest {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': id },
    body: Buffer.concat([before, after]).toString('utf8'),
  };
}
