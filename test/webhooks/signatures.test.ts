import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { type AnnouncedProject, eventData } from '../../server/projects/announce-project.ts';
import { createWebhookSecrets, openSecrets } from '../../server/webhooks/secrets.ts';
import { signableEvent, signDelivery, type SignedDelivery } from '../../server/webhooks/signature.ts';
import { ConcoursError, verifyWebhook } from '../../sdk/src/index.ts';
import { anyCharacter } from '../support/any-character.ts';

const PAYLOADS = 200;

// The library decodes bytes to text, where invalid bytes and U+FFFD look the same.
const texts = fc
  .oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constantFrom('"data":', '\\"signature":"x",', '__proto__', '𝔘n\u2028\u0000'),
  )
  .map((text) => text.replaceAll('\u{fffd}', ''));
type Signed = SignedDelivery & { secret: Buffer };

function signed(project: AnnouncedProject, previous: Buffer | null = null, openedAt = new Date()): Signed {
  // The library compares the timestamp with the machine's clock.
  const at = new Date();
  const secret = randomBytes(32);
  const data = JSON.stringify(eventData(project, openedAt));
  const logged = { id: randomUUIDv7(), type: 'PROJECT.OPEN', occurredAt: openedAt, data };
  const event = signableEvent(logged, true);
  return { secret, ...signDelivery(event, { current: secret, previous }, { at, serviceName: 'concours' }) };
}

const hmac = (key: string, data: string | Buffer) => `sha256=${createHmac('sha256', key).update(data).digest('hex')}`;

/** Verifies as the specification says: the body without its signature, and the header over the body, with the secret's text. */
function verifiesByHand({ body, headers, secret }: Signed): boolean {
  const key = secret.toString('hex');
  const { signature, ...rest } = JSON.parse(body.toString()) as { signature: string };
  return (
    signature === hmac(key, JSON.stringify(rest)) &&
    headers['service-signature'] === hmac(key, body) &&
    headers['concours-signature'] === hmac(key, body) &&
    headers['service-signature'] === hmac(key, JSON.stringify(JSON.parse(body.toString())))
  );
}

function verifiesByLibrary({ body, headers, secret }: Signed): boolean {
  try {
    new Webhook(secret.toString('base64')).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const sample = {
  id: '01a1fd68-1a1d-7b89-b14d-8a21a36746c2',
  posterId: '01a1fd68-1a1d-7b89-b14d-8a21a36746c3',
  title: 'A poster for a lighthouse festival – “Leuchtfeuer” 🗼',
  description: 'Night, sea and a beam of light.',
  requirements: 'Portrait',
  prizeMicro: 4_750_000,
  entryFeeMicro: 1,
  deadline: new Date('2026-12-01T12:00:00Z'),
  maxEntries: 20,
  placesTaken: 0,
  totalSubmissions: 0,
  platformFeePpm: 50_000,
  specializations: ['poster-design'],
  itemCount: 2,
  size_requirements: '1024x1024',
  termsHash: `sha256:${'a'.repeat(64)}`,
} as AnnouncedProject;

describe('the signatures of a delivery', () => {
  it('are where the specification lists them and cover the body that is sent', () => {
    const { body, headers } = signed(sample);
    const parsed = JSON.parse(body.toString()) as Record<string, unknown>;
    assert.deepEqual(Object.keys(parsed), ['event', 'timestamp', 'signature', 'data']);
    assert.match(parsed['signature'] as string, /^sha256=[0-9a-f]{64}$/);
    assert.deepEqual(Object.keys(headers), [
      'content-type',
      'user-agent',
      'concours-signature',
      'service-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    assert.match(headers['webhook-signature']!, /^v1,[0-9A-Za-z+/]{43}=$/);
    assert.match(headers['webhook-timestamp']!, /^\d{10}$/);
  });

  it(`verify for ${PAYLOADS} random projects, and fail with one changed bit`, () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (title, description, bit) => {
        const delivery = signed({ ...sample, title, description });
        assert.ok(verifiesByHand(delivery));
        const changed = { ...delivery, body: flipped(delivery.body, bit) };
        assert.ok(!byHandOrBroken(changed));
        assert.ok(verifiesByLibrary(delivery));
        assert.ok(!verifiesByLibrary(changed));
      }),
      { numRuns: PAYLOADS },
    );
  });

  it('use the previous secret too until its end: the library verifies with either', () => {
    const previous = randomBytes(32);
    const delivery = signed(sample, previous);
    assert.match(delivery.headers['webhook-signature']!, /^v1,\S{44} v1,\S{44}$/);
    assert.ok(verifiesByLibrary(delivery));
    assert.ok(verifiesByLibrary({ ...delivery, secret: previous }));
    assert.ok(!verifiesByLibrary({ ...delivery, secret: randomBytes(32) }));
    // The specification has a signature for the new secret only.
    assert.ok(verifiesByHand(delivery));
    assert.ok(!verifiesByHand({ ...delivery, secret: previous }));
  });
});

function flipped(bytes: Buffer, anywhere: number): Buffer {
  const changed = Buffer.from(bytes);
  const bit = anywhere % (bytes.length * 8);
  changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
  return changed;
}

/** A body that is no longer JSON counts as refused. */
function byHandOrBroken(delivery: Signed): boolean {
  try {
    return verifiesByHand(delivery);
  } catch {
    return false;
  }
}

const sealKey = randomBytes(32);
const sealing = createWebhookSecrets({ key: sealKey, randomBytes });
const id = randomUUIDv7();
const secret = randomBytes(32);
const sealed = sealing.seal(id, secret);

describe('sealed webhook secrets', () => {
  it('contain nothing of the secret and differ each time', () => {
    assert.equal(sealed.length, 61);
    assert.equal(sealed[0], 1);
    for (let at = 0; at + 4 <= secret.length; at += 1) assert.ok(!sealed.includes(secret.subarray(at, at + 4)));
    assert.notDeepEqual(sealing.seal(id, secret), sealed);
  });

  it('cannot be decrypted in another row, with another key, or with one changed bit', () => {
    assert.throws(() => sealing.open(randomUUIDv7(), sealed));
    assert.throws(() => createWebhookSecrets({ key: randomBytes(32), randomBytes }).open(id, sealed));
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
      assert.throws(() => sealing.open(id, changed), `bit ${bit}`);
    }
    for (const length of [0, 1, 13, 60]) assert.throws(() => sealing.open(id, sealed.subarray(0, length)));
    assert.throws(() => sealing.open(id, Buffer.concat([sealed, Buffer.of(0)])));
  });
});

describe('the secrets that sign', () => {
  const previous = randomBytes(32);
  const until = new Date('2026-03-02T12:00:00Z');
  const row = { id, secret: sealed, previousSecret: sealing.seal(id, previous), previousUntil: until };

  it('are the current one and, until its end, the previous one', () => {
    const before = openSecrets(sealing, row, new Date(until.getTime() - 1));
    assert.deepEqual(before, { current: secret, previous });
    assert.deepEqual(openSecrets(sealing, row, until), { current: secret, previous: null });
    const only = { ...row, previousSecret: null, previousUntil: null };
    assert.deepEqual(openSecrets(sealing, only, until), { current: secret, previous: null });
    // Nobody has the key of the previous one any more.
    const lost = { ...row, previousSecret: Buffer.alloc(60) };
    assert.deepEqual(openSecrets(sealing, lost, new Date(0)), { current: secret, previous: null });
  });
});

describe('the SDK', () => {
  // The SDK checks what the service signs.

  const current = randomBytes(32);
  const previous = randomBytes(32);
  const text = JSON.stringify({
    event: 'TEST',
    timestamp: new Date().toISOString(),
    data: { project: { title: 'Café' } },
  });
  const event = { id: '01a1fe35-0000-7000-8000-000000000000', body: text };
  const sent = (at = new Date(), secrets: { current: Buffer; previous: Buffer | null } = { current, previous: null }) =>
    signDelivery(event, secrets, { at, serviceName: 'concours' });

  function refused(error: unknown): boolean {
    return error instanceof ConcoursError && error.code === 'WEBHOOK_INVALID';
  }

  describe('verifyWebhook', () => {
    it('returns a genuine event, with every form of secret, headers, and body', async () => {
      const { headers, body } = sent();
      const whsec = `whsec_${current.toString('base64')}`;
      for (const known of [current.toString('hex'), whsec, whsec.slice('whsec_'.length)])
        for (const given of [headers, new Headers(headers), { ...headers, 'x-list': ['a', 'b'] }])
          for (const bytes of [body, new Uint8Array(body), body.toString()])
            assert.equal((await verifyWebhook(known, given, bytes)).event, 'TEST');
    });

    it('accepts the old secret while the service signs with both', async () => {
      const { headers, body } = sent(new Date(), { current, previous });
      for (const known of [current, previous])
        assert.equal((await verifyWebhook(known.toString('hex'), headers, body)).event, 'TEST');
    });

    it('refuses a changed body, id, or time, another secret, and a missing header', async () => {
      const { headers, body } = sent();
      const known = current.toString('hex');
      await assert.rejects(verifyWebhook(known, headers, body.toString().replace('TEST', 'BEST')), refused);
      await assert.rejects(verifyWebhook(previous.toString('hex'), headers, body), refused);
      const later = String(Number(headers['webhook-timestamp']) + 1);
      const changes = [{ 'webhook-id': 'other' }, { 'webhook-timestamp': later }, { 'webhook-signature': 'v1,!' }];
      for (const change of changes)
        await assert.rejects(verifyWebhook(known, { ...headers, ...change }, body), refused);
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
        const { [name]: _, ...rest } = headers;
        await assert.rejects(verifyWebhook(known, rest, body), refused);
      }
    });

    it('refuses an event that is more than five minutes old, or from the future', async () => {
      const known = current.toString('hex');
      for (const minutes of [-6, 6]) {
        const { headers, body } = sent(new Date(Date.now() + minutes * 60_000));
        await assert.rejects(verifyWebhook(known, headers, body), refused);
      }
      const { headers, body } = sent(new Date(Date.now() - 4 * 60_000));
      assert.equal((await verifyWebhook(known, headers, body)).event, 'TEST');
    });

    it('refuses an empty secret instead of checking with an empty key', async () => {
      const { headers, body } = sent();
      for (const known of ['', 'whsec_', '!'])
        await assert.rejects(verifyWebhook(known, headers, body), { code: 'VALIDATION_ERROR' });
    });
  });
});
