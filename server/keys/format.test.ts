import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { issueKey, keyPrefix, type KeyPrefix, parseKey, sameHash } from './format.ts';

const prefixes: KeyPrefix[] = ['ck_live', 'ck_test', 'cp_live', 'cp_test'];
const shape = /^(ck|cp)_(live|test)_[0-9A-Za-z]{22}_[0-9A-Za-z]{49}$/;

/** Keys of any randomness, all zeros and all ones included. */
const issued = fc
  .tuple(
    fc.constantFrom(...prefixes),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  )
  .map(([prefix, id, secret]) => issueKey(prefix, (size) => (size === 16 ? id : secret)));

describe('key format', () => {
  it('parses every key that it issues', () => {
    fc.assert(
      fc.property(issued, ({ key, prefix, id, secretHash }) => {
        assert.match(key, shape);
        assert.deepEqual(parseKey(key), { prefix, id, secretHash });
      }),
    );
    for (const byte of [0, 255]) {
      const { key, id } = issueKey('ck_live', (size) => Buffer.alloc(size, byte));
      assert.match(key, shape);
      assert.equal(parseKey(key)?.id, id);
    }
  });

  it('keeps every random bit: different bytes give different ids and secrets', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        fc.pre(!Buffer.from(a).equals(b));
        const [left, right] = [a, b].map((secret) => issueKey('ck_test', (size) => secret.subarray(0, size)));
        assert.notEqual(left?.secretHash, right?.secretHash);
      }),
    );
  });

  it('stores the SHA-256 of the secret, which is not in the stored parts', () => {
    const { key, secretHash } = issueKey('ck_live', randomBytes);
    const secret = key.slice(31, 74);
    assert.equal(secretHash, createHash('sha256').update(secret).digest('hex'));
  });

  it('refuses every change of a single character', () => {
    const replacement = fc.oneof(
      fc.string({ unit: 'binary', minLength: 0, maxLength: 2 }),
      fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z', '_', '-'),
    );
    fc.assert(
      fc.property(issued, fc.nat(79), replacement, ({ key }, at, other) => {
        fc.pre(other !== key[at]);
        assert.equal(parseKey(key.slice(0, at) + other + key.slice(at + 1)), null);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses every prefix of a key, and other text', () => {
    const { key } = issueKey('cp_live', randomBytes);
    for (let length = 0; length < key.length; length += 1) assert.equal(parseKey(key.slice(0, length)), null);
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => assert.equal(parseKey(text), null)));
    assert.equal(parseKey(`${key} `), null);
    assert.equal(parseKey('x'.repeat(1_000_000)), null);
  });

  it('refuses a foreign prefix with a right checksum', () => {
    for (const foreign of ['sk_live', 'ck_prod', 'CK_LIVE', 'c\u0000_test', 'ck-live']) {
      // issueKey computes the checksum over whatever prefix it is given.
      const { key } = issueKey(foreign as KeyPrefix, randomBytes);
      assert.equal(parseKey(key), null, foreign);
    }
  });

  it('names the owner and the network in the prefix', () => {
    assert.deepEqual(
      [keyPrefix('agent', false), keyPrefix('agent', true), keyPrefix('poster', false), keyPrefix('poster', true)],
      prefixes,
    );
  });

  it('compares hashes of equal and unequal length', () => {
    const { secretHash } = issueKey('ck_live', randomBytes);
    assert.equal(sameHash(secretHash, secretHash), true);
    assert.equal(
      sameHash(
        secretHash,
        secretHash.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      false,
    );
    assert.equal(sameHash(secretHash, ''), false);
  });
});
