import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { ConcoursError, verifyWebhook } from '../../sdk/src/index.ts';
import { signableEvent, signDelivery } from '../../server/webhooks/delivery/signature.ts';

// The SDK checks what the service signs.

const current = randomBytes(32);
const previous = randomBytes(32);
const text = JSON.stringify({
  event: 'TEST',
  timestamp: new Date().toISOString(),
  data: { project: { title: 'Café' } },
});
const event = signableEvent({ id: '01a1fe35-0000-7000-8000-000000000000', body: text });
const signed = (at = new Date(), secrets: { current: Buffer; previous: Buffer | null } = { current, previous: null }) =>
  signDelivery(event, secrets, { at, serviceName: 'concours' });

function refused(error: unknown): boolean {
  return error instanceof ConcoursError && error.code === 'WEBHOOK_INVALID';
}

describe('verifyWebhook', () => {
  it('returns a genuine event, with every form of secret, headers, and body', async () => {
    const { headers, body } = signed();
    const whsec = `whsec_${current.toString('base64')}`;
    for (const secret of [current.toString('hex'), whsec, whsec.slice('whsec_'.length)])
      for (const given of [headers, new Headers(headers), { ...headers, 'x-list': ['a', 'b'] }])
        for (const bytes of [body, new Uint8Array(body), body.toString()])
          assert.equal((await verifyWebhook(secret, given, bytes)).event, 'TEST');
  });

  it('accepts the old secret while the service signs with both', async () => {
    const { headers, body } = signed(new Date(), { current, previous });
    for (const secret of [current, previous])
      assert.equal((await verifyWebhook(secret.toString('hex'), headers, body)).event, 'TEST');
  });

  it('refuses a changed body, id, or time, another secret, and a missing header', async () => {
    const { headers, body } = signed();
    const secret = current.toString('hex');
    await assert.rejects(verifyWebhook(secret, headers, body.toString().replace('TEST', 'BEST')), refused);
    await assert.rejects(verifyWebhook(previous.toString('hex'), headers, body), refused);
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const changes = [{ 'webhook-id': 'other' }, { 'webhook-timestamp': later }, { 'webhook-signature': 'v1,!' }];
    for (const change of changes) await assert.rejects(verifyWebhook(secret, { ...headers, ...change }, body), refused);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...rest } = headers;
      await assert.rejects(verifyWebhook(secret, rest, body), refused);
    }
  });

  it('refuses an event that is more than five minutes old, or from the future', async () => {
    const secret = current.toString('hex');
    for (const minutes of [-6, 6]) {
      const { headers, body } = signed(new Date(Date.now() + minutes * 60_000));
      await assert.rejects(verifyWebhook(secret, headers, body), refused);
    }
    const { headers, body } = signed(new Date(Date.now() - 4 * 60_000));
    assert.equal((await verifyWebhook(secret, headers, body)).event, 'TEST');
  });

  it('refuses an empty secret instead of checking with an empty key', async () => {
    const { headers, body } = signed();
    for (const secret of ['', 'whsec_', '!'])
      await assert.rejects(verifyWebhook(secret, headers, body), { code: 'VALIDATION_ERROR' });
  });
});
