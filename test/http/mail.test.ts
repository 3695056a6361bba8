import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alertOperator } from '../../server/events/public.ts';
import { sendDueMail } from '../../server/mail/send-mail.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { linkIn } from '../support/clients/mail-links.ts';
import { until } from '../support/processes/processes.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Contact addresses, links in emails, and alerts of the operator by email: a service with a mail server.

const smtp = await startSmtpServer();
const ADA = 'ada@example.org';
const BOB = 'bob@example.org';
const world = await startWorld({
  env: { SMTP_URL: smtp.url, MAIL_FROM: 'market@example.com', OPERATOR_EMAIL: `${ADA}, ${BOB}` },
});
/** A service without a mail server. */
const silent = await sharedWorld();
const { url, clock, service } = world;
const { deps } = service;
const { db } = deps;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const never = new AbortController().signal;
/** Sends what is due. The job of the service may be sending some of it, so this waits for both. */
async function send(): Promise<void> {
  await sendDueMail(deps, never);
  await until('the emails', async () => {
    const due = await db`select 1 from mail_outbox where due_at <= ${clock.now()}`;
    return due.length === 0;
  });
}

const contactPath = (kind: 'agents' | 'posters') => `/${kind}/me/contact`;
type Account = { kind: 'agents' | 'posters'; key: string; id: string };

async function account(kind: Account['kind']): Promise<Account> {
  return { kind, ...(kind === 'agents' ? await registerAgent(url) : await registerPoster(url)) };
}
const put = ({ kind, key }: Account, body: object) => call(url, 'PUT', contactPath(kind), { key, body });
const remove = (owner: Account) => put(owner, { address: null });
const contactOf = async ({ kind, key }: Account) =>
  expectStatus(await call(url, 'GET', contactPath(kind), { key }), 200).body.data.contact;
const open = (path: string, method: 'GET' | 'POST' = 'POST') => fetch(`${url}${path}`, { method });
let addresses = 0;
const newAddress = () => `person${(addresses += 1)}@example.com`;

async function verified(kind: Account['kind'], address = newAddress()): Promise<Account & { address: string }> {
  const owner = await account(kind);
  expectStatus(await put(owner, { address }), 200);
  await send();
  assert.equal((await open(linkIn(smtp.to(address).at(-1), 'verify'))).status, 200);
  return { ...owner, address };
}

it('an alert reaches every address of the operator, as plain text, whatever a stranger wrote', async () => {
  const message = 'A payout of 237.50 USDC is over a cap.\r\nBcc: eve@example.com';
  await alertOperator(deps, { alert: 'payout_held', subject: 'payout:1', message, details: {} });
  await until('the emails are sent', async () => {
    await sendDueMail(deps, never);
    return smtp.to(ADA).length === 1 && smtp.to(BOB).length === 1;
  });
  const [mail] = smtp.to(ADA);
  const subject = 'A payout of 237.50 USDC is over a cap. Bcc: eve @ example . com';
  assert.equal(mail?.subject, `${new URL(url).host}: ${subject}`);
  assert.match(mail.text ?? '', /payout_held at .* UTC, about payout:1\nA payout of 237\.50 USDC/);
  assert.ok(mail.text?.includes(`${url}/operator`), String(mail.text));
  assert.deepEqual(mail.recipients, [ADA], 'no operator sees the address of another one');
});

it('a request never waits for the mail server', async () => {
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  smtp.faults.hold = () => {
    reached.resolve();
    return held.promise;
  };
  const [poster, agent] = [await account('posters'), await account('agents')];
  const [first, second] = [newAddress(), newAddress()];
  expectStatus(await put(poster, { address: first }), 200);
  const sending = sendDueMail(deps, never);
  // The mail server has the first email and does not answer.
  await reached.promise;
  expectStatus(await put(agent, { address: second }), 200);
  expectStatus(await remove(poster), 200);
  assert.equal(smtp.to(first).length + smtp.to(second).length, 0);
  delete smtp.faults.hold;
  held.resolve();
  await sending;
});

for (const kind of ['agents', 'posters'] as const)
  describe(`the contact address of ${kind}`, () => {
    it('is used once its owner pressed the button of the link, which works once', async () => {
      const [owner, address] = [await account(kind), newAddress()];
      assert.equal(await contactOf(owner), null);
      const answer = expectStatus(await put(owner, { address: ` ${address.replace('example', 'EXAMPLE')} ` }), 200);
      assert.equal(answer.body.data.link_sent, true);
      const before = await contactOf(owner);
      assert.deepEqual([before.status, before.address, before.pending_address], ['unverified', null, address]);
      await send();
      const [mail, ...more] = smtp.to(address);
      assert.equal(more.length, 0);
      assert.ok(!mail?.text?.includes('Test '), 'the email says nothing of the account');
      const link = linkIn(mail, 'verify');
      const page = await open(link, 'GET');
      assert.match(await page.text(), /<form method="post"><button>Confirm address/);
      assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/);
      assert.equal((await contactOf(owner)).status, 'unverified', 'a mail scanner opens links');
      assert.equal((await open(link)).status, 200);
      const after = await contactOf(owner);
      assert.deepEqual([after.status, after.address, after.pending_address], ['active', address, null]);
      assert.equal((await open(link)).status, 404);
    });

    it('stays in use until a new one is confirmed', async () => {
      const owner = await verified(kind);
      assert.equal((await put(owner, { address: owner.address })).body.data.link_sent, false);
      const next = newAddress();
      expectStatus(await put(owner, { address: next }), 200);
      const during = await contactOf(owner);
      assert.deepEqual([during.status, during.address, during.pending_address], ['active', owner.address, next]);
      await send();
      await open(linkIn(smtp.to(next)[0], 'verify'));
      assert.equal((await contactOf(owner)).address, next);
      await send();
      assert.equal(smtp.to(owner.address).at(-1)?.subject, 'No more emails to this address');
    });

    it('is deleted, and its open link with it', async () => {
      const [owner, address] = [await account(kind), newAddress()];
      await put(owner, { address });
      await send();
      expectStatus(await remove(owner), 200);
      assert.equal(await contactOf(owner), null);
      expectStatus(await remove(owner), 200);
      assert.equal((await open(linkIn(smtp.to(address)[0], 'verify'))).status, 404);
      const confirmed = await verified(kind);
      expectStatus(await remove(confirmed), 200);
      await send();
      assert.equal(smtp.to(confirmed.address).at(-1)?.subject, 'No more emails to this address');
      assert.equal(smtp.to(address).length, 1, 'an address that nobody confirmed gets no more');
    });

    it('is a clear error where no mail server is set', async () => {
      const { key } = await (kind === 'agents' ? registerAgent : registerPoster)(silent.url);
      const ask = (method: string, body?: object) => call(silent.url, method, contactPath(kind), { key, body });
      codeIs(await ask('PUT', { address: 'ann@example.com' }), 409, 'EMAIL_UNAVAILABLE');
      assert.deepEqual(expectStatus(await ask('GET'), 200).body.data, { contact: null, sends_email: false });
      expectStatus(await ask('PUT', { address: null }), 200);
    });

    it('is one address and nothing else', async () => {
      const owner = await account(kind);
      for (const address of [
        'ann@localhost',
        'ann@example.com, bob@example.com',
        'ann@example.com\r\nBcc: bob@example.com',
        'Ann <ann@example.com>',
        '"a b"@example.com',
        `${'a'.repeat(250)}@example.com`,
      ])
        codeIs(await put(owner, { address }), 400, 'VALIDATION_ERROR');
      codeIs(await put(owner, { address: 'ann@example.com', other: true }), 400, 'VALIDATION_ERROR');
    });
  });

describe('a link in an email', () => {
  it('ends after 24 hours, and when a newer one is sent', async () => {
    const [owner, address] = [await account('posters'), newAddress()];
    await put(owner, { address });
    await send();
    await put(owner, { address });
    assert.equal((await open(linkIn(smtp.to(address)[0], 'verify'))).status, 404);
    await send();
    const second = linkIn(smtp.to(address)[1], 'verify');
    const expires = Date.parse((await contactOf(owner)).link_expires_at);
    await clock.at(expires, async () => assert.equal((await open(second)).status, 404));
    await clock.at(expires - 1, async () => assert.equal((await open(second)).status, 200));
  });

  it('unsubscribes by one POST without a key, until the address is confirmed again', async () => {
    const owner = await verified('posters');
    const linkFor = (address: string) =>
      `/mail/unsubscribe/${deps.mailTokens.unsubscribe({ kind: 'poster', id: owner.id }, address)}`;
    const link = linkFor(owner.address);
    assert.match(await (await open(link, 'GET')).text(), /<button>Unsubscribe/);
    // A link of an earlier address changes nothing.
    assert.equal((await open(linkFor('earlier@example.com'))).status, 200);
    assert.equal((await contactOf(owner)).status, 'active');
    for (let times = 0; times < 2; times += 1) assert.equal((await open(link)).status, 200);
    expectStatus(await put(owner, { address: owner.address }), 200);
    assert.equal((await contactOf(owner)).status, 'unsubscribed');
    await send();
    await open(linkIn(smtp.to(owner.address).at(-1), 'verify'));
    assert.equal((await contactOf(owner)).status, 'active');
  });
});

describe('the address that a poster names at the registration', () => {
  const registered = async (of: string, email: string) =>
    expectStatus(await call(of, 'POST', '/posters/create', { body: { poster_name: 'Almanac House', email } }), 201).body
      .data as { apiKey: string; link_sent: boolean };

  it('is the contact address once its owner opens the link', async () => {
    const address = newAddress();
    const { apiKey: key, link_sent: sent } = await registered(url, address);
    assert.equal(sent, true);
    const owner: Account = { kind: 'posters', key, id: '' };
    const before = await contactOf(owner);
    assert.deepEqual([before.status, before.pending_address], ['unverified', address]);
    await send();
    assert.equal((await open(linkIn(smtp.to(address).at(-1), 'verify'))).status, 200);
    assert.deepEqual((await contactOf(owner)).address, address);
  });

  it('brings a mailbox at most 3 links a day, and the account exists in any case', async () => {
    const address = newAddress();
    const all = await Promise.all(Array.from({ length: 5 }, () => registered(url, address)));
    assert.equal(all.filter(({ link_sent: sent }) => sent).length, 3);
    for (const { apiKey: key } of all) expectStatus(await call(url, 'GET', '/posters/me/projects', { key }), 200);
    assert.equal((await registered(silent.url, newAddress())).link_sent, false);
  });
});

describe('the limits of links', () => {
  it('are 5 a day for an account, also if it deletes the address in between', async () => {
    const owner = await account('agents');
    for (let count = 0; count < 5; count += 1) {
      expectStatus(await put(owner, { address: newAddress() }), 200);
      if (count === 2) await remove(owner);
    }
    codeIs(await put(owner, { address: newAddress() }), 429, 'RATE_LIMIT_EXCEEDED');
    clock.offsetMs += 24 * HOUR_MS + MINUTE_MS;
    expectStatus(await put(owner, { address: newAddress() }), 200);
  });

  it('are 3 a day for a mailbox over all accounts, also for requests at once', async () => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => account('posters')));
    const spelled = ['victim@example.net', 'VICTIM@example.net', 'victim+1@example.net'];
    const answers = await Promise.all(owners.map((owner, n) => put(owner, { address: spelled[n % 3] })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
  });
});

it('an address that its server refuses for good is disabled, until it is confirmed again', async () => {
  const [owner, address] = [await account('agents'), newAddress()];
  smtp.faults.recipient = (to) => (to === address ? { code: 550, message: '5.1.1 no such user' } : null);
  await put(owner, { address });
  await send();
  const { status, refused, pending_address } = await contactOf(owner);
  assert.deepEqual([status, refused.address, refused.reason], ['disabled', address, '550 5.1.1 no such user']);
  assert.equal(pending_address, null);
  delete smtp.faults.recipient;
  await put(owner, { address });
  await send();
  await open(linkIn(smtp.to(address)[0], 'verify'));
  const after = await contactOf(owner);
  assert.deepEqual([after.status, after.refused], ['active', null]);
});
