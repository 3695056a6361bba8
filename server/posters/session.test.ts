import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { issueKey, parseKey } from '../keys/format.ts';
import { deleteSession } from './delete-session.ts';
import { DAY, MINUTE, newKey, sessionWorld } from '../../test/support/worlds/session-world.ts';

const { db } = await testDatabase();
const setUp = () => sessionWorld(db);

describe('a session', () => {
  it('ends one day after its last use, and after 7 days in any case', async () => {
    const { signIn, isSignedIn, advance } = setUp();
    const { token } = await signIn(newKey());
    const idle = await signIn(newKey());
    advance(DAY - 1);
    assert.equal(await isSignedIn(token), true);
    advance(1);
    assert.equal(await isSignedIn(idle.token), false);
    for (let half = 2; half < 13; half += 1) {
      advance(DAY / 2);
      assert.equal(await isSignedIn(token), true, `after ${half} half days`);
    }
    advance(DAY / 2 - 1);
    assert.equal(await isSignedIn(token), true);
    advance(1);
    assert.equal(await isSignedIn(token), false);
  });

  it('is written at most every 10 minutes', async () => {
    const { signIn, isSignedIn, advance, at } = setUp();
    const { token } = await signIn(newKey());
    const id = parseKey(token)?.id ?? assert.fail();
    const end = async () => (await db`select expires_at as at from poster_sessions where id = ${id}`)[0]?.['at'];
    const first = at(DAY);
    advance(10 * MINUTE - 1);
    assert.equal(await isSignedIn(token), true);
    assert.deepEqual(await end(), first);
    advance(1);
    assert.equal(await isSignedIn(token), true);
    assert.deepEqual(await end(), at(DAY));
  });

  it('is stored as a hash, and rejected with another secret, of another network, and of another kind', async () => {
    const { signIn, authenticator } = setUp();
    const { token } = await signIn(newKey());
    const { id } = parseKey(token) ?? assert.fail();
    const [row] = await db`select * from poster_sessions where id = ${id}`;
    assert.doesNotMatch(
      JSON.stringify({ ...row, hash: row?.['secret_hash'].toString() }),
      new RegExp(token.slice(31, 60)),
    );
    const idBytes = Buffer.from(base62(id).toString(16).padStart(32, '0'), 'hex');
    const withId = (prefix: 'cs_test' | 'cs_live' | 'cp_test') =>
      issueKey(prefix, (size) => (size === 16 ? idBytes : randomBytes(size))).key;
    assert.equal(parseKey(withId('cs_test'))?.id, id);
    for (const forged of [withId('cs_test'), withId('cs_live'), withId('cp_test'), token.slice(0, -1), '', '{}'])
      assert.equal(await authenticator.authenticate(forged), null, forged);
    assert.ok(await authenticator.authenticate(token));
  });

  it('is ended by its poster at once, without ending the others', async () => {
    const { signIn, isSignedIn, end, authenticator } = setUp();
    const [key, other] = [newKey(), newKey()];
    const [here, there, foreign] = [await signIn(key), await signIn(key), await signIn(other)];
    assert.ok(await authenticator.authenticate(here.token));
    assert.deepEqual(await end(here.token), { message: 'Signed out.', ended: 1 });
    // The cache has dropped it too.
    assert.equal(await authenticator.authenticate(here.token), null);
    assert.deepEqual([await isSignedIn(there.token), await isSignedIn(foreign.token)], [true, true]);
  });

  it('is ended with all other sessions of the poster, by session or by the poster’s key', async () => {
    const { register, start, signIn, isSignedIn, end, as } = setUp();
    const { apiKey, posterId } = await register();
    const foreign = await signIn(newKey());
    const two = async () => ({ first: await start({ api_key: apiKey }), second: await start({ api_key: apiKey }) });
    const { first, second } = await two();
    assert.equal((await end(first.token, true)).ended, 2);
    assert.deepEqual([await isSignedIn(first.token), await isSignedIn(second.token)], [false, false]);
    const { first: third } = await two();
    const byKey = {
      ...(await as(third.token)),
      caller: { kind: 'poster' as const, posterId, keyId: 'key', scope: 'full' as const },
    };
    assert.equal((await deleteSession(byKey, { query: { everywhere: false } })).ended, 2);
    assert.equal(await isSignedIn(third.token), false);
    assert.equal(await isSignedIn(foreign.token), true);
  });

  it('is limited to 20 per poster: the oldest one ends', async () => {
    const { signIn, isSignedIn, advance } = setUp();
    const [key, other] = [newKey(), newKey()];
    const foreign = await signIn(other);
    const tokens: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      tokens.push((await signIn(key)).token);
      advance(1);
    }
    const signedIn = await Promise.all(tokens.map(isSignedIn));
    assert.deepEqual(signedIn, [false, ...Array<boolean>(20).fill(true)]);
    assert.equal(await isSignedIn(foreign.token), true);
  });

  it('is deleted after it has expired', async () => {
    const { signIn, advance } = setUp();
    const { token } = await signIn(newKey());
    advance(8 * DAY);
    await signIn(newKey());
    assert.equal((await db`select 1 from poster_sessions where id = ${parseKey(token)?.id ?? ''}`).length, 0);
  });
});

function base62(text: string): bigint {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from(text).reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n);
}
