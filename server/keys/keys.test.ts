import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { issueKey, type KeyPrefix, parseKey, sameHash } from './format.ts';
import { createKeyCache, type StoredKey } from './key-cache.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { networks } from '../chain/networks.ts';
import { withTransaction } from '../db/public.ts';
import { createChallenge, startSession } from './public.ts';

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

  it('stores the SHA-256 of the secret, which is not in the stored parts', () => {
    const { key, secretHash } = issueKey('ck_live', randomBytes);
    const secret = key.slice(31, 74);
    assert.equal(secretHash, createHash('sha256').update(secret).digest('hex'));
  });

  it('refuses every change of a single character', () => {
    const replacement = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 0, maxLength: 2 }),
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

  it('refuses other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (text) => assert.equal(parseKey(text), null)),
    );
    const { key } = issueKey('cp_live', randomBytes);
    for (const text of ['', key.slice(0, -1), `${key} `, 'x'.repeat(1_000_000)]) assert.equal(parseKey(text), null);
  });

  it('compares hashes of equal and unequal length', () => {
    const [one, other] = [issueKey('ck_live', randomBytes), issueKey('ck_live', randomBytes)];
    assert.equal(sameHash(one.secretHash, one.secretHash), true);
    for (const hash of [other.secretHash, '']) assert.equal(sameHash(one.secretHash, hash), false);
  });
});

type Caller = { name: string; endsAt?: Date };

/** A store of keys with a counter of look-ups, a clock that is set by hand, and answers that can be held back. */
function cacheWorld() {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const rows = new Map<string, StoredKey<Caller>>();
  const lookups: string[] = [];
  let answer: () => Promise<void> = () => Promise.resolve();
  const clock = { now: () => new Date(now) };
  const cache = createKeyCache<Caller>({ clock, prefix: 'ck_test' }, async (keyId) => {
    lookups.push(keyId);
    const row = rows.get(keyId) ?? null;
    await answer();
    return row;
  });
  return {
    cache,
    rows,
    lookups,
    advance(ms: number) {
      now += ms;
    },
    answerWith(next: () => Promise<void>) {
      answer = next;
    },
    issue(name: string, random = randomBytes as (size: number) => Buffer) {
      const key = issueKey('ck_test', random);
      rows.set(key.id, { secretHash: key.secretHash, caller: { name } });
      return key;
    },
  };
}

describe('key cache', () => {
  it('answers from memory for 900 ms, then reads again', async () => {
    const { cache, issue, lookups, advance } = cacheWorld();
    const key = issue('ada');
    assert.deepEqual(await cache.find(key.key), { name: 'ada' });
    advance(899);
    assert.deepEqual(await cache.find(key.key), { name: 'ada' });
    assert.equal(lookups.length, 1);
    advance(1);
    await cache.find(key.key);
    assert.equal(lookups.length, 2);
  });

  it('refuses a key revoked by another process within a second, and by this process immediately', async () => {
    const { cache, issue, rows, advance } = cacheWorld();
    const [elsewhere, here] = [issue('ada'), issue('grace')];
    await cache.find(elsewhere.key);
    await cache.find(here.key);
    for (const { id } of [elsewhere, here]) rows.delete(id);
    cache.forget(here.id);
    assert.equal(await cache.find(here.key), null);
    advance(1000);
    assert.equal(await cache.find(elsewhere.key), null);
  });

  it('refuses text that is no key, and a key of another prefix, without a query', async () => {
    const { cache, issue, lookups } = cacheWorld();
    const { key } = issue('ada');
    assert.deepEqual(await cache.find(key), { name: 'ada' });
    for (const text of ['', `${key.slice(0, -1)}?`, issueKey('cp_test', randomBytes).key])
      assert.equal(await cache.find(text), null);
    assert.equal(lookups.length, 1);
  });

  it('refuses a wrong secret of a known id, and unknown ids, with one query each', async () => {
    const { cache, issue, lookups } = cacheWorld();
    const idBytes = randomBytes(16);
    const sameId = (size: number) => (size === idBytes.length ? idBytes : randomBytes(size));
    const key = issue('ada', sameId);
    const stranger = issueKey('ck_test', randomBytes);
    const forged = issueKey('ck_test', sameId);
    assert.equal(forged.id, key.id);
    for (let attempt = 0; attempt < 50; attempt += 1) {
      assert.equal(await cache.find(forged.key), null);
      assert.equal(await cache.find(stranger.key), null);
    }
    assert.deepEqual(lookups.toSorted(), [key.id, stranger.id].toSorted());
    assert.deepEqual(await cache.find(key.key), { name: 'ada' });
  });

  it('shares one query between concurrent requests, but not with requests after its age limit', async () => {
    const { cache, issue, lookups, advance, answerWith } = cacheWorld();
    const key = issue('ada');
    const held = Promise.withResolvers<void>();
    answerWith(() => held.promise);
    const together = [cache.find(key.key), cache.find(key.key), cache.find(key.key)];
    advance(900);
    const later = cache.find(key.key);
    assert.equal(lookups.length, 2);
    held.resolve();
    assert.deepEqual(
      await Promise.all([...together, later]),
      Array.from({ length: 4 }, () => ({ name: 'ada' })),
    );
  });

  it('does not keep a result that was read before `forget`', async () => {
    const { cache, issue, rows, answerWith } = cacheWorld();
    const key = issue('ada');
    const held = Promise.withResolvers<void>();
    answerWith(() => held.promise);
    const before = cache.find(key.key);
    rows.delete(key.id);
    cache.forget(key.id);
    held.resolve();
    await before;
    assert.equal(await cache.find(key.key), null);
  });

  it('reads again when the clock was set back', async () => {
    const { cache, issue, lookups, advance } = cacheWorld();
    const key = issue('ada');
    await cache.find(key.key);
    advance(-3_600_000);
    await cache.find(key.key);
    assert.equal(lookups.length, 2);
  });
});

describe('at once', async () => {
  const { db } = await testDatabase();
  const ctx = { db, clock: { now: () => new Date() }, randomBytes, publicUrl: 'https://concours.test' };
  const deps = { ...ctx, network: networks['eip155:84532'] };

  it('a holder starts many sessions, and keeps at most 20', async () => {
    const holder = { kind: 'poster' as const, accountId: randomUUIDv7(), wallet: `0x${'1'.repeat(40)}` };
    const start = () => withTransaction(db, (tx) => startSession(deps, tx, holder));
    await Promise.all(Array.from({ length: 60 }, start));
    const [row] = await db`select count(*) as count from sessions where account_id = ${holder.accountId}`;
    assert.equal(row?.['count'], 20);
  });

  it('an agent asks for many challenges, and one is valid', async () => {
    const purpose = `link:${randomUUIDv7()}` as const;
    const ask = () => createChallenge(deps, { purpose, address: `0x${'1'.repeat(40)}`, statement: 'Link.' });
    await Promise.all(Array.from({ length: 10 }, ask));
    const [row] = await db`select count(*) as count from wallet_challenges where purpose = ${purpose}`;
    assert.equal(row?.['count'], 1);
  });
});
