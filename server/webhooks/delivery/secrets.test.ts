import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { createWebhookSecrets, openSecrets } from './secrets.ts';

const key = randomBytes(32);
const secrets = createWebhookSecrets({ key, randomBytes });
const id = randomUUIDv7();
const secret = randomBytes(32);
const sealed = secrets.seal(id, secret);

describe('sealed webhook secrets', () => {
  it('can be decrypted for their row with their key', () => {
    assert.deepEqual(secrets.open(id, sealed), secret);
    assert.deepEqual(createWebhookSecrets({ key, randomBytes }).open(id, sealed), secret);
  });

  it('contain nothing of the secret and differ each time', () => {
    assert.equal(sealed.length, 61);
    assert.equal(sealed[0], 1);
    for (let at = 0; at + 4 <= secret.length; at += 1) assert.ok(!sealed.includes(secret.subarray(at, at + 4)));
    assert.notDeepEqual(secrets.seal(id, secret), sealed);
  });

  it('cannot be decrypted in another row, with another key, or with one changed bit', () => {
    assert.throws(() => secrets.open(randomUUIDv7(), sealed));
    assert.throws(() => createWebhookSecrets({ key: randomBytes(32), randomBytes }).open(id, sealed));
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
      assert.throws(() => secrets.open(id, changed), `bit ${bit}`);
    }
    for (const length of [0, 1, 13, 60]) assert.throws(() => secrets.open(id, sealed.subarray(0, length)));
    assert.throws(() => secrets.open(id, Buffer.concat([sealed, Buffer.of(0)])));
  });

  it('fail with a message that contains neither secret, key, nor ciphertext', () => {
    for (const bad of [sealed.subarray(1), Buffer.concat([sealed.subarray(0, -1), Buffer.of(sealed.at(-1)! ^ 1)])]) {
      const told = String(thrown(() => secrets.open(id, bad)));
      for (const hidden of [secret, key, sealed]) assert.ok(!told.includes(hidden.toString('hex')));
    }
  });

  it('have one size', () => {
    assert.throws(() => secrets.seal(id, randomBytes(31)), RangeError);
  });
});

describe('the secrets that sign', () => {
  const previous = randomBytes(32);
  const until = new Date('2026-03-02T12:00:00Z');
  const row = { id, secret: sealed, previousSecret: secrets.seal(id, previous), previousUntil: until };

  it('are the current one and, until its end, the previous one', () => {
    const before = openSecrets(secrets, row, new Date(until.getTime() - 1));
    assert.deepEqual(before, { current: secret, previous });
    assert.deepEqual(openSecrets(secrets, row, until), { current: secret, previous: null });
    const only = { ...row, previousSecret: null, previousUntil: null };
    assert.deepEqual(openSecrets(secrets, only, until), { current: secret, previous: null });
  });
});

function thrown(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
