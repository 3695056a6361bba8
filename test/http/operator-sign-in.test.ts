import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { openStream } from '../support/clients/event-stream.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { cookieOf } from '../support/clients/sessions.ts';
import { CLIENT, startIdentityProvider } from '../support/oidc/identity-provider.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';

// Operators sign in at an identity provider: the service as it is, against oidc-provider.

const MINUTE_MS = 60_000;
const CONFIRM_MS = 30_000;
const PUBLIC_URL = 'http://market.test';
const provider = await startIdentityProvider(`${PUBLIC_URL}/operator`);
const env = {
  ...SHARED_SETTINGS.env,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_ACT: 'market-operators',
  OIDC_READ: 'support, finance',
};
const { url, clock, operatorKey, service } = await startWorld({
  env,
  wrap: () => ({ publicUrl: PUBLIC_URL }),
});
const own = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' };

const begin = () => call(url, 'POST', '/operator/session/provider', { headers: own });
const finish = (flow: string, answer: string) =>
  call(url, 'POST', '/operator/session', { headers: own, body: { flow, answer } });

/** Signs `person` in. `change` alters the address of the provider before the browser opens it. */
async function signIn(person: string, change: (url: URL) => void = () => {}): Promise<Answer> {
  provider.person = person;
  const { url: page, flow } = expectStatus(await begin(), 200).body.data as { url: string; flow: string };
  const altered = new URL(page);
  change(altered);
  return await finish(flow, (await provider.visit(altered.href)).search);
}

const cookieFor = async (person: string) => cookieOf(expectStatus(await signIn(person), 200));
const keep = (cookie: string) => call(url, 'GET', '/operator/session', { headers: { cookie } });
const read = (cookie: string) => call(url, 'GET', '/operator/ledger', { headers: { cookie } });
const stream = (cookie: string) => openStream(url, '/operator/events', { cookie });
const endsSoon = async ({ ended }: Awaited<ReturnType<typeof stream>>) =>
  assert.notEqual(await Promise.race([ended, sleep(2_000, 'late')]), 'late');

async function suspend(cookie: string): Promise<Answer> {
  const { id } = await registerAgent(url);
  const body = { status: 'limited', reason: 'A test' };
  return await call(url, 'PUT', `/operator/agents/${id}/status`, { headers: { cookie, ...own }, body });
}

beforeEach(() => {
  provider.people = {
    ada: { email: 'ada@example.com', email_verified: true, groups: ['staff', 'market-operators'] },
    bob: { name: 'Bob', email: 'ada@example.com', email_verified: false, groups: 'finance' },
    eve: { email: 'eve@example.com', groups: ['staff'] },
    mallory: { email: 'mallory@example.com' },
  };
  provider.tamper = null;
  provider.forges = false;
  provider.givesRefreshTokens = true;
});

describe('an operator signs in at the identity provider', () => {
  it('and acts under its own name, which the audit trail shows', async () => {
    const answer = expectStatus(await signIn('ada'), 200);
    assert.deepEqual([answer.body.data.name, answer.body.data.scope], ['ada@example.com', 'act']);
    const cookie = cookieOf(answer);
    expectStatus(await suspend(cookie), 200);
    const { entries } = expectStatus(await call(url, 'GET', '/operator/audit', { headers: { cookie } }), 200).body.data;
    const ofAda = entries.filter(({ actor }: { actor: string }) => actor === 'operator:ada@example.com');
    assert.deepEqual(
      ofAda.map(({ action }: { action: string }) => action),
      ['agent.set_status', 'operator.sign_in'],
    );
    assert.deepEqual(ofAda[1].details, { provider_subject: 'ada', scope: 'act' });
  });

  it('with the right to read, and changes nothing; an address that is not verified is no name', async () => {
    const answer = expectStatus(await signIn('bob'), 200);
    assert.deepEqual([answer.body.data.name, answer.body.data.scope], ['Bob (bob)', 'read']);
    const cookie = cookieOf(answer);
    expectStatus(await read(cookie), 200);
    codeIs(await suspend(cookie), 403, 'KEY_SCOPE', /you may only read/);
  });

  it('and is refused without a right, by name', async () => {
    codeIs(await signIn('eve'), 403, 'KEY_SCOPE', /knows you as eve@example\.com, but you may not/);
    codeIs(await signIn('mallory'), 403, 'KEY_SCOPE');
  });

  it('while OPERATOR_KEY works as before', async () => {
    const answer = await call(url, 'POST', '/operator/session', { body: { api_key: operatorKey } });
    const cookie = cookieOf(expectStatus(answer, 200));
    assert.deepEqual([answer.body.data.name, answer.body.data.scope], [null, 'act']);
    const out = await call(url, 'DELETE', '/operator/session', { headers: { cookie, ...own } });
    assert.equal(expectStatus(out, 200).body.data.provider_url, null);
  });
});

describe('a wrong answer of the provider signs nobody in', () => {
  const notValid = /is not valid\. Start the sign-in again/;
  const wrong: [string, (url: URL) => void][] = [
    ['another nonce', (page) => page.searchParams.set('nonce', 'another')],
    ['another state', (page) => page.searchParams.set('state', 'another')],
    ['another challenge', (page) => page.searchParams.set('code_challenge', 'a'.repeat(43))],
  ];
  for (const [name, change] of wrong)
    it(name, async () => codeIs(await signIn('ada', change), 401, 'UNAUTHORIZED', notValid));

  const now = () => Math.floor(Date.now() / 1000);
  const tampered: [string, Record<string, () => unknown>][] = [
    ['another audience', { aud: () => 'another' }],
    ['another issuer', { iss: () => 'https://evil.example' }],
    ['an expired token', { exp: () => now() - 60 }],
    ['a token of the future', { iat: () => now() + 600, nbf: () => now() + 600 }],
  ];
  for (const [name, claims] of tampered)
    it(name, async () => {
      const changed = () => Object.fromEntries(Object.entries(claims).map(([claim, value]) => [claim, value()]));
      provider.tamper = (given) => ({ ...given, ...changed() });
      codeIs(await signIn('ada'), 401, 'UNAUTHORIZED', notValid);
    });

  it('another key', async () => {
    provider.forges = true;
    codeIs(await signIn('ada'), 401, 'UNAUTHORIZED', notValid);
  });

  it('but clocks may differ a little', async () => {
    provider.tamper = (given) => ({ ...given, exp: now() - 10 });
    expectStatus(await signIn('ada'), 200);
  });

  it('a code that was used, a flow that is over or of nobody, and a refusal', async () => {
    provider.person = 'ada';
    const { url: page, flow } = (await begin()).body.data;
    const { search } = await provider.visit(page as string);
    expectStatus(await finish(flow as string, search), 200);
    codeIs(await finish(flow as string, search), 401, 'UNAUTHORIZED', notValid);
    codeIs(await finish('bm9uc2Vuc2U', search), 401, 'UNAUTHORIZED', /expired/);
    const { state } = Object.fromEntries(new URL(page as string).searchParams);
    const refusal = `?error=access_denied&state=${state}&iss=${provider.issuer}`;
    codeIs(await finish(flow as string, refusal), 401, 'UNAUTHORIZED', /did not sign you in: access_denied/);
    clock.offsetMs += 10 * MINUTE_MS;
    codeIs(await finish(flow as string, search), 401, 'UNAUTHORIZED', /expired/);
  });

  it('a page of another site', async () => {
    const { flow } = (await begin()).body.data;
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    const body = { flow, answer: '?code=1' };
    codeIs(await call(url, 'POST', '/operator/session', { headers, body }), 403, 'ORIGIN_FORBIDDEN');
  });
});

describe('a session ends', () => {
  it('here and at the provider, when the person signs out', async () => {
    const cookie = await cookieFor('ada');
    const open = await stream(cookie);
    const out = await call(url, 'DELETE', '/operator/session', { headers: { cookie, ...own } });
    const { ended, provider_url: next } = expectStatus(out, 200).body.data;
    assert.equal(ended, 1);
    const page = new URL(next as string);
    assert.equal(page.origin, provider.issuer);
    assert.equal(page.searchParams.get('post_logout_redirect_uri'), `${PUBLIC_URL}/operator`);
    assert.equal((await fetch(page)).status, 200);
    await endsSoon(open);
    codeIs(await read(cookie), 401, 'UNAUTHORIZED');
  });

  it('everywhere, with the sessions of this person alone', async () => {
    const [one, two, other] = [await cookieFor('ada'), await cookieFor('ada'), await cookieFor('bob')];
    const out = await call(url, 'DELETE', '/operator/session?everywhere=true', { headers: { cookie: one, ...own } });
    assert.ok(out.body.data.ended >= 2);
    clock.offsetMs += 1_000;
    for (const cookie of [one, two]) codeIs(await read(cookie), 401, 'UNAUTHORIZED');
    expectStatus(await read(other), 200);
  });

  it('with its streams in every browser, when the person has lost the right; a lesser right holds at once', async () => {
    const [cookie, second] = [await cookieFor('ada'), await cookieFor('ada')];
    const open = [await stream(cookie), await stream(second)];
    // They count by person, not by session.
    assert.deepEqual(
      [...open, await stream(second)].map(({ status }) => status),
      [200, 200, 429],
    );
    provider.people['ada'] = { email: 'ada@example.com', groups: ['support'] };
    expectStatus(await suspend(cookie), 200);
    clock.offsetMs += CONFIRM_MS;
    assert.equal(expectStatus(await keep(cookie), 200).body.data.scope, 'read');
    clock.offsetMs += 1_000;
    codeIs(await suspend(second), 403, 'KEY_SCOPE');
    provider.people['ada'] = { email: 'ada@example.com', groups: [] };
    expectStatus(await keep(cookie), 200);
    clock.offsetMs += CONFIRM_MS;
    // Every request asks, not only that of the console.
    codeIs(await read(cookie), 401, 'UNAUTHORIZED', /has ended your session or your right/);
    for (const each of open) await endsSoon(each);
    clock.offsetMs += 1_000;
    codeIs(await read(second), 401, 'UNAUTHORIZED');
  });

  it('after 12 hours, or after one without a refresh token', async () => {
    const long = await cookieFor('ada');
    provider.givesRefreshTokens = false;
    const short = await cookieFor('ada');
    for (let minutes = 0; minutes < 60; minutes += 20) {
      for (const cookie of [long, short]) expectStatus(await keep(cookie), 200);
      clock.offsetMs += 20 * MINUTE_MS;
    }
    codeIs(await keep(short), 401, 'UNAUTHORIZED', /session is over/);
    for (let minutes = 60; minutes < 12 * 60; minutes += 20) {
      expectStatus(await keep(long), 200);
      clock.offsetMs += 20 * MINUTE_MS;
    }
    codeIs(await keep(long), 401, 'UNAUTHORIZED', /session is over/);
  });
});

describe('while the provider is down', () => {
  it('nobody signs in there, OPERATOR_KEY works, and sessions go on', async () => {
    const cookie = await cookieFor('ada');
    const { url: page, flow } = (await begin()).body.data;
    const { search } = await provider.visit(page as string);
    await provider.pause();
    codeIs(await finish(flow as string, search), 503, 'INTERNAL_ERROR', /does not answer/);
    clock.offsetMs += 5 * MINUTE_MS;
    expectStatus(await keep(cookie), 200);
    // The document of the provider is read again after an hour.
    clock.offsetMs += 60 * MINUTE_MS;
    codeIs(await begin(), 503, 'INTERNAL_ERROR', /does not answer\. Try again, or sign in with OPERATOR_KEY/);
    expectStatus(await call(url, 'POST', '/operator/session', { body: { api_key: operatorKey } }), 200);
    await provider.resume();
    expectStatus(await begin(), 200);
  });
});

it('keeps no token of the provider in the database', async () => {
  const rows = await service.deps.db`select encode(tokens, 'escape') as tokens from sessions`;
  for (const { tokens } of rows) assert.doesNotMatch(String(tokens), /refresh|eyJ/);
});
