import { BLOCK, hmacSha256 } from './hmac.ts';

/** What is signed for everybody who hears of it: serialised once, in `webhook_events.body`. */
export type SignableEvent = {
  id: string;
  /** The body's JSON in UTF-8, behind room for a key. */
  unsigned: Buffer;
  /** The same with room for the signature where it goes, and before it for the timestamp that is signed with it. */
  signed: Buffer;
  /** Where in `signed` that signature's 64 digits go, and where the body begins. */
  digitsAt: number;
  bodyAt: number;
};

/** 32 bytes each. */
export type SigningSecrets = {
  current: Buffer;
  /** The one that was replaced, while it still signs beside it. */
  previous: Buffer | null;
};

const ALGORITHM = 'sha256=';
/** Until the year 2286. */
const SECONDS_DIGITS = 10;

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
  const room = Buffer.alloc(BLOCK);
  const after = Buffer.from(body.slice(cut));
  const beforeDigits = Buffer.from(`${body.slice(0, cut)}"signature":"${ALGORITHM}`);
  const stamp = Buffer.alloc(Buffer.byteLength(stampOf(id, 0)));
  const start = Buffer.concat([room, stamp, beforeDigits]);
  return {
    id,
    unsigned: Buffer.concat([room, Buffer.from(body)]),
    signed: Buffer.concat([start, Buffer.from(`${'0'.repeat(64)}",`), after]),
    digitsAt: start.length,
    bodyAt: room.length + stamp.length,
  };
}

/** What the Standard Webhooks signature has before the body. */
function stampOf(id: string, seconds: number): string {
  return `${id}.${String(seconds).padStart(SECONDS_DIGITS, '0')}.`;
}

/** The bytes and headers of one attempt; `at` is when it is made. */
export function signDelivery(
  { id, unsigned, signed, digitsAt, bodyAt }: SignableEvent,
  { current, previous }: SigningSecrets,
  { at, serviceName }: { at: Date; serviceName: string },
): SignedDelivery {
  // To the specification's receivers the key is the text that they were given, its 64 characters.
  const key = Buffer.from(current.toString('hex'), 'latin1');
  signed.write(hmacSha256(key, unsigned, 0, 'hex'), digitsAt, 'latin1');
  const overBody = ALGORITHM + hmacSha256(key, signed, bodyAt - BLOCK, 'hex');
  const stamp = stampOf(id, Math.floor(at.getTime() / 1000));
  // The key of the signature over the body alone lay where the stamp does.
  signed.write(stamp, BLOCK);
  const standard = (secret: Buffer) => `v1,${hmacSha256(secret, signed, 0, 'base64')}`;
  // The next one writes over it.
  const body = Buffer.copyBytesFrom(signed, bodyAt);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      [`${serviceName}-signature`]: overBody,
      'service-signature': overBody,
      'webhook-id': id,
      'webhook-timestamp': stamp.slice(-SECONDS_DIGITS - 1, -1),
      'webhook-signature': previous ? `${standard(current)} ${standard(previous)}` : standard(current),
    },
  };
}
