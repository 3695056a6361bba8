import { createHmac } from 'node:crypto';

/** What is signed for everybody who hears of it: serialised once, in `webhook_events.body`. */
export type SignableEvent = {
  id: string;
  /** The body's JSON, cut where the signature goes; UTF-8. */
  before: Buffer;
  after: Buffer;
};

/** 32 bytes each. */
export type SigningSecrets = {
  current: Buffer;
  /** The one that was replaced, while it still signs beside it. */
  previous: Buffer | null;
};

export type SignedDelivery = { headers: Record<string, string>; body: Buffer };

/**
 * Makes an event ready to be signed for each of its receivers.
 *
 * The signature is a member of the very text that it signs, so both sides have to agree on that text without it. It stands
 * between `timestamp` and `data`, where the specification lists it, and is put in by cutting the text, never by serialising
 * again. A receiver that parses the body, deletes `signature` and serialises what is left gets the text in
 * `webhook_events.body` back, since JSON keeps the order of members and `JSON.stringify` writes each value in one way only;
 * one that cuts `"signature":"…",` out of the bytes gets it too, in any language.
 */
export function signableEvent({ id, body }: { id: string; body: string }): SignableEvent {
  // `event` and `timestamp` stand before it and are the service's own words: the first place is the right one.
  const cut = body.indexOf('"data":');
  if (cut === -1) throw new Error(`event ${id} has no data to sign`);
  return { id, before: Buffer.from(body.slice(0, cut)), after: Buffer.from(body.slice(cut)) };
}

/** The bytes and headers of one attempt; `at` is when it is made. */
export function signDelivery(
  { id, before, after }: SignableEvent,
  { current, previous }: SigningSecrets,
  { at, serviceName }: { at: Date; serviceName: string },
): SignedDelivery {
  // To the specification's receivers the key is the text that they were given, its 64 characters.
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
      [headerOf(serviceName)]: overBody,
      'service-signature': overBody,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': previous ? `${standard(current)} ${standard(previous)}` : standard(current),
    },
  };
}

const headerNames = new Map<string, string>();

/** The same string each time: for V8 one that was just put together is another property's name until it has looked it up. */
function headerOf(serviceName: string): string {
  const known = headerNames.get(serviceName);
  if (known !== undefined) return known;
  const name = `${serviceName}-signature`;
  headerNames.set(serviceName, name);
  return name;
}
