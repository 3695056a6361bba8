import { ConcoursError } from './errors.ts';
import { bytesOfBase64, utf8 } from './text.ts';
import type { WebhookEvent } from './wire.ts';

/** The headers of a request: of `Request`, or Node's `request.headers`. */
export type HeaderSource = Headers | Record<string, string | string[] | undefined>;

const TOLERANCE_SECONDS = 5 * 60;
const HEX_SECRET = /^[0-9a-f]{64}$/i;

/**
 * Checks an event by the rules of Standard Webhooks, and returns it. An event can arrive twice: compare its
 * `webhook-id`.
 *
 * @param secret the `webhook_secret` of the registration (64 hex digits), or the same as `whsec_…`
 * @param body the bytes or the text as received
 * @throws ConcoursError WEBHOOK_INVALID if the event is not genuine, or is more than five minutes old: answer 401
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string | Uint8Array,
): Promise<WebhookEvent> {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !time || !signatures) throw invalid('a webhook header is missing');
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(time));
  if (!/^\d+$/.test(time) || ageSeconds > TOLERANCE_SECONDS) throw invalid('it is more than five minutes old');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = utf8(`${id}.${time}.${text}`);
  for (const signature of signatures.split(' ')) {
    const [version, base64 = ''] = signature.split(',');
    if (version !== 'v1') continue;
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, bytesOf(base64), signed)) return JSON.parse(text) as WebhookEvent;
  }
  throw invalid('no signature fits the secret');
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (HEX_SECRET.test(secret)) return Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = bytesOf(secret.replace(/^whsec_/, ''));
  if (key.length === 0) throw new ConcoursError('VALIDATION_ERROR', 'The secret is neither 64 hex digits nor whsec_….');
  return key;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return bytesOfBase64(base64);
  } catch {
    return new Uint8Array();
  }
}

function invalid(why: string): ConcoursError {
  return new ConcoursError('WEBHOOK_INVALID', `The event is not genuine: ${why}.`);
}
