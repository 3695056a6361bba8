import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionOperations } from '../../contract/sessions.ts';
import { until } from '../../test/support/processes/processes.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { createSession } from './create-session.ts';
import { getSession, renamePoster } from './get-session.ts';
import { lower, newKey } from '../../test/support/worlds/agents-world.ts';
import { DAY, MINUTE, sessionWorld } from '../../test/support/worlds/session-world.ts';
import { listKeys } from '../keys/account-keys.ts';
import { createPosterAuthenticator, createSessionAuthenticator } from './authenticate.ts';

const { db } = await testDatabase();
const setUp = () => sessionWorld(db);
const invalid = { code: 'WALLET_CHALLENGE_INVALID', status: 400 };

it('a first sign-in counts as a registration, and a later one does not', async () => {
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

it('a session ends one day after its last use, and after 7 days in any case', async () => {
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

describe('createSession by wallet', () => {
  it('creates a poster on a wallet’s first sign-in, and finds it on the next', async () => {
    const { signIn, as, at } = setUp();
    const key = newKey();
    const first = await signIn(key, { poster_name: '  Almanac House ' });
    assert.deepEqual(first.poster, {
      id: first.poster.id,
      name: 'Almanac House',
      wallet_address: lower(key),
      created_at: at(0).toISOString(),
    });
    assert.deepEqual(first.session, { signed_in_with: 'wallet', expires_at: at(DAY).toISOString() });
    const second = await signIn(key, { poster_name: 'Another name' });
    assert.deepEqual(second.poster, first.poster);
    assert.notEqual(second.token, first.token);
    const shown = sessionOperations.getSession.output.parse(await getSession(await as(first.token)));
    assert.deepEqual(shown, { poster: first.poster, scope: 'full', session: first.session, suspension: null });
    const renamed = await renamePoster(await as(first.token), { body: { poster_name: 'Night Press' } });
    assert.deepEqual(renamed.poster, { ...shown.poster, name: 'Night Press', created_at: at(0) });
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

it('the last use of a poster’s key is written once a minute, for requests with the key and with its session', async () => {
  const { deps, anyone, register, start, advance, at } = setUp();
  const [keys, sessions] = [createPosterAuthenticator(deps), createSessionAuthenticator(deps)];
  const { apiKey, posterId } = await register();
  const { token } = await start({ api_key: apiKey });
  const other = { kind: 'poster' as const, posterId, keyId: 'another', scope: 'full' as const };
  const used = async () => (await listKeys({ ...anyone, caller: other })).keys[0]?.lastUsedAt;
  assert.equal(await used(), null);
  for (const authenticate of [() => keys.authenticate(apiKey), () => sessions.authenticate(token)]) {
    advance(60_000);
    await authenticate();
    await until('the use', async () => (await used())?.getTime() === at(0).getTime());
  }
});
