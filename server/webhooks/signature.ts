import { createHmac } from 'node:crypto';
import type { LoggedEvent } from '../events/public.ts';

/** An event as its receivers get it, serialized once. */
export type SignableEvent = { id: string; body: string };

/** 32 bytes each. */
export type SigningSecrets = {
  current: Buffer;
  /** The replaced secret, while it still signs too. */
  previous: Buffer | null;
};

export type SignedDelivery = { headers: Record<string, string>; body: Buffer };

/**
 * Returns an event for an endpoint. Its id is a member of the body, because the older signatures do not cover the headers;
 * the specification's webhook has no such member. PostgreSQL's JSON text has spaces, so the data is serialized again: receivers
 * restore the signed text with `JSON.stringify`.
 */
export function signableEvent({ id, type, occurredAt, data }: LoggedEvent, specified: boolean): SignableEvent {
  const known = { timestamp: occurredAt.toISOString(), data: JSON.parse(data) as unknown };
  return { id, body: JSON.stringify({ event: type, ...(specified ? {} : { id }), ...known }) };
}

/**
 * Returns the bytes and headers of one attempt, made at `at`.
 *
 * The signature is a member of the text that it signs, so both sides must agree on the text without it. It is inserted
 * between `timestamp` and `data`, where the specification lists it, without serializing again. A receiver restores the
 * signed text in one of two ways: it parses the body, deletes `signature`, and serializes the rest, because JSON keeps the
 * order of members and `JSON.stringify` writes each value in one way. Or it cuts `"signature":"…",` out of the bytes.
 */
export function signDelivery(
  { id, body: text }: SignableEvent,
  { current, previous }: SigningSecrets,
  { at, serviceName }: { at: Date; serviceName: string },
): SignedDelivery {
  // The service itself writes the members before it, so the first match is the right one.
  const cut = text.indexOf('"data":');
  if (cut === -1) throw new Error(`event ${id} has no data to sign`);
  // The specification uses the 64 characters of the secret as the key, not the bytes that they spell.
  const key = current.toString('hex');
  const sign = (signed: string | Buffer) => `sha256=${createHmac('sha256', key).update(signed).digest('hex')}`;
  const body = Buffer.from(`${text.slice(0, cut)}"signature":"${sign(text)}",${text.slice(cut)}`);
  const ofBody = sign(body);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.`;
  const standard = (secret: Buffer) =>
    `v1,${createHmac('sha256', secret).update(signed, 'latin1').update(body).digest('base64')}`;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      // Firewalls refuse requests without it.
      'user-agent': serviceName,
      [`${serviceName}-signature`]: ofBody,
      'service-signature': ofBody,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': previous ? `${standard(current)} ${standard(previous)}` : standard(current),
    },
  };
}
