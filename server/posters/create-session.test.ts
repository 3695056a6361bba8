import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseSiweMessage } from 'viem/siwe';
import { sessionOperations } from '../../contract/sessions.ts';
import type { Deps } from '../deps.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { issueKey } from '../keys/format.ts';
import { getSession } from './get-session.ts';
import { DAY, lower, MINUTE, newKey, sessionWorld } from '../../test/support/worlds/session-world.ts';

const { db } = await testDatabase();
const setUp = (given: Partial<Deps> = {}) => sessionWorld(db, given);
const invalid = { code: 'WALLET_CHALLENGE_INVALID', status: 400 };

describe('challengeSession', () => {
  it('returns a message that names the service, the chain, the wallet, and the expiry, and is bound to no poster', async () => {
    const { challenge, at } = setUp();
    const key = newKey();
    const { message, address, expiresAt } = await challenge({ address: key.address.toUpperCase().replace('0X', '0x') });
    assert.deepEqual([address, expiresAt], [lower(key), at(10 * MINUTE).toISOString()]);
    const { nonce, statement, ...fields } = parseSiweMessage(message);
    assert.deepEqual(fields, {
      domain: 'concours.test',
      address: key.address,
      uri: 'https://concours.test',
      version: '1',
      chainId: 84_532,
      issuedAt: at(0),
      expirationTime: at(10 * MINUTE),
    });
    assert.match(nonce ?? '', /^[0-9a-f]{32}$/);
    assert.match(statement ?? '', /^Sign in to concours as a poster\. .* moves no money\.$/);
  });

  it('keeps earlier challenges, because anybody can ask for any wallet', async () => {
    const { challenge, start } = setUp();
    const key = newKey();
    const first = await challenge(key);
    await challenge(key);
    const signature = await key.signMessage(first);
    assert.equal((await start({ message: first.message, signature })).poster.wallet_address, lower(key));
  });

  it('deletes expired challenges', async () => {
    const { challenge, advance } = setUp();
    for (let count = 0; count < 5; count += 1) await challenge(newKey());
    advance(DAY);
    const { message } = await challenge(newKey());
    const left = await db<{ message: string }[]>`select message from sign_in_challenges`;
    assert.deepEqual(
      left.map((row) => row.message),
      [message],
    );
  });
});

describe('createSession by wallet', () => {
  it('creates a poster on a wallet’s first sign-in, and finds it on the next', async () => {
    const { signIn, as, at } = setUp();
    const key = newKey();
    const first = await signIn(key, { poster_name: '  Almanac House ' });
    assert.deepEqual(first.poster, {
      id: first.poster.id,
      name: 'Almanac House',
      email: null,
      wallet_address: lower(key),
      created_at: at(0).toISOString(),
    });
    assert.deepEqual(first.session, { signed_in_with: 'wallet', expires_at: at(DAY).toISOString() });
    const second = await signIn(key, { poster_name: 'Another name' });
    assert.deepEqual(second.poster, first.poster);
    assert.notEqual(second.token, first.token);
    const shown = sessionOperations.getSession.output.parse(await getSession(await as(first.token)));
    assert.deepEqual(shown, { poster: first.poster, scope: 'full', session: first.session, suspension: null });
    const address = lower(key);
    const { poster } = await signIn(newKey());
    assert.equal(poster.name, `${poster.wallet_address?.slice(0, 6)}…${poster.wallet_address?.slice(-4)}`);
    assert.notEqual(poster.wallet_address, address);
  });

  it('creates one poster if several first sign-ins run at once', async () => {
    const { signIn } = setUp();
    const key = newKey();
    const sessions = await Promise.all(Array.from({ length: 8 }, () => signIn(key)));
    assert.equal(new Set(sessions.map(({ poster }) => poster.id)).size, 1);
    assert.equal(new Set(sessions.map(({ token }) => token)).size, 8);
  });

  it('accepts a challenge once, even if it arrives several times at once', async () => {
    const { challenge, start } = setUp();
    const key = newKey();
    const { message } = await challenge(key);
    const signature = await key.signMessage({ message });
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => start({ message, signature })));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const each of answers) if (each.status === 'rejected') assert.equal(each.reason.code, invalid.code);
    await assert.rejects(start({ message, signature }), invalid);
  });

  it('keeps the challenge valid after a wrong signature', async () => {
    const { challenge, start } = setUp();
    const [key, thief] = [newKey(), newKey()];
    const { message } = await challenge(key);
    for (const signature of [await thief.signMessage({ message }), await key.signMessage({ message: 'Hello' }), '0x00'])
      await assert.rejects(start({ message, signature }), { ...invalid, message: /signature/ });
    assert.equal((await db`select 1 from posters where wallet_address = ${lower(key)}`).length, 0);
    assert.ok(await start({ message, signature: await key.signMessage({ message }) }));
  });

  it('rejects a message that differs in one character', async () => {
    const { challenge, start } = setUp();
    const key = newKey();
    const { message } = await challenge(key);
    const altered = Array.from(message, (letter, at) => {
      const other = letter === '0' ? '1' : '0';
      return `${message.slice(0, at)}${other}${message.slice(at + 1)}`;
    });
    for (const text of [...altered, `${message} `, ` ${message}`, message.replaceAll('\n', '\r\n')]) {
      const refused = start({ message: text, signature: await key.signMessage({ message: text }) });
      await assert.rejects(refused, ({ code }: { code: string }) =>
        ['WALLET_CHALLENGE_INVALID', 'VALIDATION_ERROR'].includes(code),
      );
    }
  });

  it('rejects a challenge after exactly 10 minutes, also if it expires during the verification', async () => {
    const { challenge, start, advance, hooks } = setUp();
    const key = newKey();
    const signed = async () => {
      const { message } = await challenge(key);
      return { message, signature: await key.signMessage({ message }) };
    };
    const late = await signed();
    advance(10 * MINUTE);
    await assert.rejects(start(late), { ...invalid, message: /expired/ });
    const slow = await signed();
    hooks.before = async () => advance(10 * MINUTE);
    await assert.rejects(start(slow), invalid);
    hooks.before = async () => {};
    const inTime = await signed();
    advance(10 * MINUTE - 1);
    assert.ok(await start(inTime));
  });

  it('rejects a challenge after the service moved to another address or chain', async () => {
    const { challenge, start } = setUp();
    const key = newKey();
    const { message } = await challenge(key);
    const request = { message, signature: await key.signMessage({ message }) };
    const moved: [Partial<Deps>, RegExp][] = [
      [{ publicUrl: 'https://another.test' }, /for https:\/\/concours\.test, .* runs at https:\/\/another\.test\./],
      [{ publicUrl: 'http://concours.test' }, /for https:\/\/concours\.test, .* runs at http:\/\/concours\.test\./],
      [{ network: { testnet: true, chainId: 8453 } as Deps['network'] }, /for chain 84532, .* uses chain 8453\./],
    ];
    for (const [change, reason] of moved)
      await assert.rejects(setUp(change).start(request), { ...invalid, message: reason });
    assert.ok(await start(request));
  });

  it('answers for an unknown challenge as for a used one', async () => {
    const { start, challenge } = setUp();
    const { message } = await challenge(newKey());
    const foreign = message.replace(/Nonce: ../, 'Nonce: zz');
    await assert.rejects(start({ message: foreign, signature: '0x00' }), invalid);
    await assert.rejects(start({ message: 'Sign in, please', signature: '0x00' }), { code: 'VALIDATION_ERROR' });
  });
});

describe('createSession by key', () => {
  it('belongs to the key’s poster, and ends with the key', async () => {
    const { register, start, isSignedIn, advance, at } = setUp();
    const { apiKey, posterId } = await register();
    const { poster, session, token } = await start({ api_key: apiKey });
    assert.deepEqual([poster.id, poster.wallet_address, session?.signed_in_with], [posterId, null, 'key']);
    assert.equal(await isSignedIn(token), true);
    await db`update poster_keys set expires_at = ${at(MINUTE)} where poster_id = ${posterId}`;
    advance(MINUTE - 1);
    assert.equal(await isSignedIn(token), true);
    advance(1);
    assert.equal(await isSignedIn(token), false);
    await assert.rejects(start({ api_key: apiKey }), { code: 'INVALID_API_KEY', status: 401 });
  });

  it('rejects text that is not a poster’s key', async () => {
    const { register, start, signIn } = setUp();
    const { apiKey } = await register();
    const { token } = await signIn(newKey());
    const texts = [
      'k',
      apiKey.slice(0, -1),
      issueKey('cp_test', randomBytes).key,
      issueKey('cp_live', randomBytes).key,
      issueKey('ck_test', randomBytes).key,
      token,
    ];
    for (const text of texts) await assert.rejects(start({ api_key: text }), { code: 'INVALID_API_KEY' }, text);
  });

  it('accepts either a key or a signed message', () => {
    const { body } = sessionOperations.createSession;
    const signed = { message: 'a', signature: '0x00' };
    for (const good of [signed, { api_key: 'k' }, { ...signed, poster_name: 'Almanac House' }])
      assert.equal(body.safeParse(good).success, true);
    for (const bad of [{}, { message: 'a' }, { signature: '0x00' }, { ...signed, api_key: 'k' }, { api_key: '' }])
      assert.equal(body.safeParse(bad).success, false, JSON.stringify(bad));
  });
});
