import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseSiweMessage } from 'viem/siwe';
import { sessionOperations } from '../../contract/sessions.ts';
import type { Deps } from '../deps.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { issueKey, parseKey } from '../keys/format.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { getSession } from './get-session.ts';
import { DAY, lower, MINUTE, newKey, sessionWorld } from '../../test/support/worlds/session-world.ts';
import { posterOperations } from '../../contract/posters.ts';
import { agentsWorld } from '../../test/support/worlds/agents-world.ts';
import { createPosterAuthenticator } from './account-keys.ts';
import { createPoster } from './create-poster.ts';

const { db } = await testDatabase();
const setUp = (given: Partial<Deps> = {}) => sessionWorld(db, given);
const invalid = { code: 'WALLET_CHALLENGE_INVALID', status: 400 };

function base62(text: string): bigint {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from(text).reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n);
}

const world = agentsWorld(db);
const authenticatorOf = ({ deps }: typeof world) => createPosterAuthenticator(deps, { record: () => {} });
const registerBakery = (body: object) =>
  createPoster(world.anyone, { body: posterOperations.createPoster.body.parse(body) });

const refused = (body: unknown) => {
  const parsed = posterOperations.createPoster.body.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
};

describe('a first sign-in', () => {
  it('counts as a registration, and a later one does not', async () => {
    const { anyone, challenge } = setUp();
    const key = newKey();
    let registrations = 0;
    const countRegistration = async () => {
      registrations += 1;
      if (registrations > 1) throw new Error('used up');
    };
    const signIn = async (account: typeof key) => {
      const { message } = await challenge(account);
      const body = { message, signature: await account.signMessage({ message }) };
      await createSession({ ...anyone, countRegistration }, { body: sessionOperations.createSession.body.parse(body) });
    };
    await signIn(key);
    await signIn(key);
    assert.equal(registrations, 1);
    const stranger = newKey();
    await assert.rejects(signIn(stranger), /used up/);
    assert.equal((await db`select 1 from posters where wallet_address = ${lower(stranger)}`).length, 0);
  });
});

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

  it('is stored as a hash, and rejected with another secret, of another network, and of another kind', async () => {
    const { signIn, authenticator } = setUp();
    const { token } = await signIn(newKey());
    const { id } = parseKey(token) ?? assert.fail();
    const [row] = await db`select * from sessions where id = ${id}`;
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
});

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
});

describe('createSession by key', () => {
  it('belongs to the key’s poster, and ends with the key', async () => {
    const { register, start, isSignedIn, advance, at } = setUp();
    const { apiKey, posterId } = await register();
    const { poster, session, token } = await start({ api_key: apiKey });
    assert.deepEqual([poster.id, poster.wallet_address, session?.signed_in_with], [posterId, null, 'key']);
    assert.equal(await isSignedIn(token), true);
    await db`update api_keys set expires_at = ${at(MINUTE)} where account_id = ${posterId}`;
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
    const ofAgent = issueKey('ck_test', randomBytes).key;
    await assert.rejects(start({ api_key: ofAgent }), /this is the key of an agent/);
  });
});

describe('createPoster', () => {
  it('registers a poster with a poster key that the authenticator accepts', async () => {
    const answer = await registerBakery({
      poster_name: '  Bäckerei "Süß"; drop table posters; -- ',
      email: 'a@example.com',
    });
    assert.deepEqual(posterOperations.createPoster.output.parse(answer), answer);
    assert.equal(parseKey(answer.apiKey)?.prefix, 'cp_test');
    const [row] = await db`select * from posters where id = ${answer.posterId}`;
    const name = 'Bäckerei "Süß"; drop table posters; --';
    assert.deepEqual(
      { ...row },
      {
        id: answer.posterId,
        name,
        email: 'a@example.com',
        created_at: world.at(0),
        wallet_address: null,
        terms_version: null,
        suspended_at: null,
        suspend_reason: null,
      },
    );
    const caller = { kind: 'poster', posterId: answer.posterId, keyId: parseKey(answer.apiKey)?.id, scope: 'full' };
    assert.deepEqual(await authenticatorOf(world).authenticate(answer.apiKey), caller);
  });

  it('rejects input that violates the contract, and names the field', () => {
    assert.deepEqual(refused({ poster_name: ' A ' }), ['poster_name']);
    assert.deepEqual(refused({ poster_name: 'A'.repeat(101) }), ['poster_name']);
    assert.deepEqual(refused({}), ['poster_name']);
    assert.deepEqual(refused({ poster_name: 'Bakery', email: 'not an address' }), ['email']);
    assert.deepEqual(refused({ poster_name: 'Bakery', email: `${'a'.repeat(320)}@example.com` }), ['email']);
    assert.deepEqual(refused({ poster_name: 'Bakery' }), []);
  });
});

describe('poster authentication', () => {
  it('rejects wrong secrets, unknown keys, agents’ keys, and expired keys', async () => {
    const { apiKey, posterId } = await registerBakery({ poster_name: 'Bakery' });
    const auth = authenticatorOf(world);
    const forged = issueKey('cp_test', (size) => (size === 16 ? Buffer.alloc(16, 1) : randomBytes(32)));
    await db`insert into api_keys (id, kind, account_id, scope, secret_hash, created_at)
      values (${forged.id}, 'poster', ${posterId}, 'full', ${randomBytes(32)}, now())`;
    const texts = [
      apiKey.slice(0, -1),
      issueKey('cp_test', randomBytes).key,
      issueKey('ck_test', randomBytes).key,
      forged.key,
    ];
    for (const text of texts) assert.equal(await auth.authenticate(text), null, text);
    await db`update api_keys set expires_at = ${world.at(0)} where account_id = ${posterId}`;
    assert.equal(await auth.authenticate(apiKey), null);
  });
});
