import { createHmac } from 'node:crypto';

/** An event, serialized once and signed for each receiver. */
export type SignableEvent = {
  id: string;
  /** The body's JSON in UTF-8, split where the signature is inserted. */
  before: Buffer;
  after: Buffer;
};

/** 32 bytes each. */
export type SigningSecrets = {
  current: Buffer;
  /** The replaced secret, while it still signs too. */
  previous: Buffer | null;
};

export type SignedDelivery = { headers: Record<string, string>; body: Buffer };

/**
 * Prepares an event to be signed for each of its receivers.
 *
 * The signature is a member of the text that it signs, so both sides must agree on the text without it. It is inserted
 * between `timestamp` and `data`, where the specification lists it, without serializing again. A receiver restores the
 * signed text in one of two ways: it parses the body, deletes `signature`, and serializes the rest, because JSON keeps the
 * order of members and `JSON.stringify` writes each value in one way. Or it cuts `"signature":"…",` out of the bytes.
 */
export function signableEvent({ id, body }: { id: string; body: string }): SignableEvent {
  // The service itself writes the members before it, so the first match is the right one.
  const cut = body.indexOf('"data":');
  if (cut === -1) throw new Error(`event ${id} has no data to sign`);
  return { id, before: Buffer.from(body.slice(0, cut)), after: Buffer.from(body.slice(cut)) };
}

/** Returns the bytes and headers of one attempt, made at `at`. */
export function signDelivery(
  { id, before, after }: SignableEvent,
  { current, previous }: SigningSecrets,
  { at, serviceName }: { at: Date; serviceName: string },
): SignedDelivery {
  // The specification uses the 64 characters of the secret as the key, not the bytes that they spell.
  const key = current.toString('hex');
  const inBody = `sha256=${createHmac('sha256', key).update(before).update(after).digest('hex')}`;
  const member = `"signature":"${inBody}",`;
  const body = Buffer.allocUnsafe(before.length + member.length + after.length);
  body.set(before);
  body.write(member, before.length, 'latin1');
  body.set(after, before.length + member.length);
  const overBody = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.`;
  const standard = (secret: Buffer) =>
    `v1,${createHmac('sha256', secret).update(signed, 'latin1').update(body).digest('base64')}`;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      [`${serviceName}-signature`]: overBody,
      'service-signature': overBody,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': previous ? `${standard(current)} ${standard(previous)}` : standard(current),
    },
  };
}
