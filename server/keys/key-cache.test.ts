import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { issueKey } from './format.ts';
import { createKeyCache, type StoredKey } from './key-cache.ts';

type Caller = { name: string };

/** A store of keys with a counter of look-ups, a clock that is set by hand, and answers that can be held back. */
function cacheWorld(maxEntries?: number) {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const rows = new Map<string, StoredKey<Caller>>();
  const lookups: string[] = [];
  let answer: () => Promise<void> = () => Promise.resolve();
  const cache = createKeyCache<Caller>(
    { clock: { now: () => new Date(now) }, prefix: 'ck_test' },
    async (keyId) => {
      lookups.push(keyId);
      const row = rows.get(keyId) ?? null;
      await answer();
      return row;
    },
    maxEntries,
  );
  return {
    cache,
    rows,
    lookups,
    advance(ms: number) {
      now += ms;
    },
    at: (ms: number) => new Date(now + ms),
    answerWith(next: () => Promise<void>) {
      answer = next;
    },
    issue(name: string, expiresAt: Date | null = null, random = randomBytes as (size: number) => Buffer) {
      const key = issueKey('ck_test', random);
      rows.set(key.id, { secretHash: key.secretHash, expiresAt, caller: { name } });
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
    const { cache, issue, rows, advance, at } = cacheWorld();
    const [elsewhere, here] = [issue('ada'), issue('grace')];
    await cache.find(elsewhere.key);
    await cache.find(here.key);
    for (const { id, secretHash } of [elsewhere, here])
      rows.set(id, { secretHash, expiresAt: at(0), caller: { name: '' } });
    cache.forget(here.id);
    assert.equal(await cache.find(here.key), null);
    advance(1000);
    assert.equal(await cache.find(elsewhere.key), null);
  });

  it('ends a grace period on time without a query', async () => {
    const { cache, issue, advance, at, lookups } = cacheWorld();
    const key = issue('ada', at(500));
    assert.deepEqual(await cache.find(key.key), { name: 'ada' });
    advance(500);
    assert.equal(await cache.find(key.key), null);
    assert.equal(lookups.length, 1);
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
    const key = issue('ada', null, sameId);
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
    const { cache, issue, rows, at, answerWith } = cacheWorld();
    const key = issue('ada');
    const held = Promise.withResolvers<void>();
    answerWith(() => held.promise);
    const before = cache.find(key.key);
    rows.set(key.id, { secretHash: key.secretHash, expiresAt: at(0), caller: { name: 'ada' } });
    cache.forget(key.id);
    held.resolve();
    await before;
    assert.equal(await cache.find(key.key), null);
  });

  it('passes a database failure to all waiting requests and does not cache it', async () => {
    const { cache, issue, answerWith } = cacheWorld();
    const key = issue('ada');
    answerWith(() => Promise.reject(new Error('connection refused')));
    const both = await Promise.allSettled([cache.find(key.key), cache.find(key.key)]);
    for (const result of both)
      assert.equal(result.status === 'rejected' && String(result.reason), 'Error: connection refused');
    answerWith(() => Promise.resolve());
    assert.deepEqual(await cache.find(key.key), { name: 'ada' });
  });

  it('reads again when the clock was set back', async () => {
    const { cache, issue, lookups, advance } = cacheWorld();
    const key = issue('ada');
    await cache.find(key.key);
    advance(-3_600_000);
    await cache.find(key.key);
    assert.equal(lookups.length, 2);
  });

  it('keeps at most its size and drops the oldest first', async () => {
    const { cache, issue, lookups } = cacheWorld(3);
    const keys = ['a', 'b', 'c', 'd'].map((name) => issue(name));
    for (const key of keys) await cache.find(key.key);
    for (const key of keys.slice(1)) await cache.find(key.key);
    assert.equal(lookups.length, 4);
    await cache.find((keys[0] ?? assert.fail()).key);
    assert.equal(lookups.length, 5);
  });
});
