import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contactOperations, mailTypes } from '../../contract/contacts.ts';
import { sendDueMail } from '../../server/mail/outbox/public.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { linkIn } from '../support/clients/mail-links.ts';
import { until } from '../support/processes/processes.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const smtp = await startSmtpServer();
const world = await startWorld({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'market@example.com' } });
const silent = await startWorld();
const { url, clock, service } = world;
const { db } = service.deps;
const HOUR_MS = 3_600_000;

const never = new AbortController().signal;
/** Sends what is due. The job of the service may be sending some of it, so this waits for both. */
async function send(): Promise<void> {
  await sendDueMail(service.deps, never);
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
const put = async ({ kind, key }: Account, body: object) => await call(url, 'PUT', contactPath(kind), { key, body });
const contactOf = async ({ kind, key }: Account) =>
  expectStatus(await call(url, 'GET', contactPath(kind), { key }), 200).body.data.contact;
const open = async (path: string, method: 'GET' | 'POST', body?: string) =>
  await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  });
let addresses = 0;
const newAddress = () => `person${(addresses += 1)}@example.com`;

async function verified(kind: Account['kind'], address = newAddress()): Promise<Account & { address: string }> {
  const owner = await account(kind);
  expectStatus(await put(owner, { address }), 200);
  await send();
  assert.equal((await open(linkIn(smtp.to(address).at(-1), 'verify'), 'POST')).status, 200);
  return { ...owner, address };
}

it('a request never waits for the mail server', async () => {
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  smtp.faults.hold = () => {
    reached.resolve();
    return held.promise;
  };
  const [first, second] = [newAddress(), newAddress()];
  const [poster, agent] = [await account('posters'), await account('agents')];
  expectStatus(await put(poster, { address: first }), 200);
  const sending = sendDueMail(service.deps, never);
  // The mail server has the first email and does not answer.
  await reached.promise;
  expectStatus(await put(agent, { address: second }), 200);
  expectStatus(await call(url, 'DELETE', contactPath('posters'), { key: poster.key }), 200);
  assert.deepEqual(
    [first, second].flatMap((address) => smtp.to(address)),
    [],
  );
  delete smtp.faults.hold;
  held.resolve();
  await sending;
});

for (const kind of ['agents', 'posters'] as const)
  describe(`the contact address of ${kind}`, () => {
    it('is used once its owner pressed the button of the link, which works once', async () => {
      const [owner, address] = [await account(kind), newAddress()];
      codeIs(await call(url, 'GET', contactPath(kind), { key: owner.key }), 404, 'NOT_FOUND');
      const answer = expectStatus(await put(owner, { address: ` ${address.replace('example', 'EXAMPLE')} ` }), 200);
      assert.equal(answer.body.data.link_sent, true);
      const before = await contactOf(owner);
      assert.deepEqual([before.status, before.address, before.pending_address], ['unverified', null, address]);
      assert.ok(before.types.length > 5);
      await send();
      const [mail, ...more] = smtp.to(address);
      assert.equal(more.length, 0);
      assert.ok(!mail?.text?.includes('Test '), 'the email says nothing of the account');
      const link = linkIn(mail, 'verify');
      const page = await open(link, 'GET');
      assert.match(await page.text(), /<form method="post"><button>Confirm address/);
      assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/);
      assert.equal((await contactOf(owner)).status, 'unverified', 'a mail scanner opens links');
      assert.equal((await open(link, 'POST')).status, 200);
      const after = await contactOf(owner);
      assert.deepEqual([after.status, after.address, after.pending_address], ['active', address, null]);
      assert.equal((await open(link, 'POST')).status, 404);
      const [row] = await db`select link_hash from mail_contacts where account_id = ${owner.id}`;
      assert.equal(row?.['link_hash'], null);
    });

    it('changes its choices without a new link, and keeps the address until a new one is confirmed', async () => {
      const owner = await verified(kind);
      const [type] = (await contactOf(owner)).types;
      const chosen = await put(owner, { address: owner.address, types: [type, type], delivery: 'daily' });
      assert.deepEqual([chosen.body.data.link_sent, chosen.body.data.contact.types], [false, [type]]);
      const next = newAddress();
      expectStatus(await put(owner, { address: next }), 200);
      const during = await contactOf(owner);
      assert.deepEqual([during.status, during.address, during.pending_address], ['active', owner.address, next]);
      assert.deepEqual([during.types, during.delivery], [[type], 'daily']);
      await send();
      await open(linkIn(smtp.to(next)[0], 'verify'), 'POST');
      assert.equal((await contactOf(owner)).address, next);
    });

    it('is deleted, and its open link with it', async () => {
      const [owner, address] = [await account(kind), newAddress()];
      await put(owner, { address });
      await send();
      expectStatus(await call(url, 'DELETE', contactPath(kind), { key: owner.key }), 200);
      codeIs(await call(url, 'DELETE', contactPath(kind), { key: owner.key }), 404, 'NOT_FOUND');
      assert.equal((await open(linkIn(smtp.to(address)[0], 'verify'), 'POST')).status, 404);
    });

    it('may be set and deleted at once', async () => {
      const owner = await verified(kind);
      const { address } = owner;
      const both = await Promise.all(
        Array.from({ length: 6 }, () => [
          put(owner, { address, delivery: 'daily' }),
          call(url, 'DELETE', contactPath(kind), { key: owner.key }),
        ]).flat(),
      );
      for (const { status } of both) assert.ok([200, 404, 429].includes(status), String(status));
    });

    it('is a clear error where no mail server is set', async () => {
      const register = kind === 'agents' ? registerAgent : registerPoster;
      const { key } = await register(silent.url);
      const options = { key, body: { address: 'ann@example.com' } };
      codeIs(await call(silent.url, 'PUT', contactPath(kind), options), 409, 'EMAIL_UNAVAILABLE');
      codeIs(await call(silent.url, 'GET', contactPath(kind), { key }), 409, 'EMAIL_UNAVAILABLE');
      codeIs(await call(silent.url, 'DELETE', contactPath(kind), { key }), 404, 'NOT_FOUND');
    });

    it('is one address and nothing else', async () => {
      const owner = await account(kind);
      for (const address of [
        '',
        'ann',
        'ann@localhost',
        'ann@example.com, bob@example.com',
        'ann@example.com\r\nBcc: bob@example.com',
        'Ann <ann@example.com>',
        '"a b"@example.com',
        `${'a'.repeat(250)}@example.com`,
      ])
        codeIs(await put(owner, { address }), 400, 'VALIDATION_ERROR');
      codeIs(await put(owner, { address: 'ann@example.com', types: ['NO.SUCH'] }), 400, 'VALIDATION_ERROR');
    });
  });

describe('a link in an email', () => {
  it('ends after 24 hours, and when a newer one is sent', async () => {
    const [owner, address] = [await account('posters'), newAddress()];
    await put(owner, { address });
    await send();
    const first = linkIn(smtp.to(address)[0], 'verify');
    await put(owner, { address });
    assert.equal((await open(first, 'POST')).status, 404);
    await send();
    const second = linkIn(smtp.to(address)[1], 'verify');
    const expires = Date.parse((await contactOf(owner)).link_expires_at);
    await clock.at(expires, async () => assert.equal((await open(second, 'POST')).status, 404));
    await clock.at(expires - 1, async () => assert.equal((await open(second, 'POST')).status, 200));
  });

  it('that was made up does nothing', async () => {
    assert.equal((await open(`/mail/verify/${'A'.repeat(43)}`, 'POST')).status, 404);
    assert.equal((await open(`/mail/unsubscribe/p${'A'.repeat(87)}`, 'GET')).status, 404);
    assert.equal((await open(`/mail/unsubscribe/p${'A'.repeat(87)}`, 'POST')).status, 404);
  });
});

describe('the address that a poster names at the registration', () => {
  const registered = async (of: string, email: string) =>
    expectStatus(await call(of, 'POST', '/posters/create', { body: { poster_name: 'Almanac House', email } }), 201).body
      .data as { apiKey: string; link_sent: boolean };

  it('is the contact address once its owner opens the link', async () => {
    const address = newAddress();
    const { apiKey: key, link_sent: sent } = await registered(url, address.replace('example', 'EXAMPLE'));
    assert.equal(sent, true);
    const owner: Account = { kind: 'posters', key, id: '' };
    const before = await contactOf(owner);
    assert.deepEqual([before.status, before.pending_address], ['unverified', address]);
    assert.deepEqual(before.types, mailTypes.poster);
    await send();
    assert.equal((await open(linkIn(smtp.to(address).at(-1), 'verify'), 'POST')).status, 200);
    const after = await contactOf(owner);
    assert.deepEqual([after.status, after.address], ['active', address]);
  });

  it('brings a mailbox no more links than other ways, and the account exists in any case', async () => {
    const address = newAddress();
    const all = await Promise.all(Array.from({ length: 5 }, () => registered(url, address)));
    assert.equal(all.filter(({ link_sent: sent }) => sent).length, 3);
    for (const { apiKey: key } of all) expectStatus(await call(url, 'GET', '/posters/me/projects', { key }), 200);
    const without = all.find(({ link_sent: sent }) => !sent);
    assert.equal((await call(url, 'GET', contactPath('posters'), { key: without?.apiKey ?? '' })).status, 404);
    await send();
    assert.equal(smtp.to(address).length, 3);
  });

  it('gets no link where the service sends no emails, or where it is too long for one', async () => {
    assert.equal((await registered(silent.url, newAddress())).link_sent, false);
    const long = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}example.com`;
    assert.ok(long.length > 254 && long.length <= 320);
    assert.equal((await registered(url, long)).link_sent, false);
  });
});

describe('the limits of links', () => {
  it('are 5 a day for an account, also if it deletes the address in between', async () => {
    const owner = await account('agents');
    for (let count = 0; count < 5; count += 1) {
      expectStatus(await put(owner, { address: newAddress() }), 200);
      if (count === 2) await call(url, 'DELETE', contactPath('agents'), { key: owner.key });
    }
    const refused = await put(owner, { address: newAddress() });
    codeIs(refused, 429, 'RATE_LIMIT_EXCEEDED');
    assert.ok(Number(refused.headers.get('retry-after')) > 23 * 3600);
    clock.offsetMs += 24 * HOUR_MS + 60_000;
    expectStatus(await put(owner, { address: newAddress() }), 200);
  });

  it('are 3 a day for a mailbox over all accounts, also for requests at once', async () => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => account('posters')));
    const spelled = ['victim@example.net', 'VICTIM@example.net', 'victim+1@example.net'];
    const answers = await Promise.all(owners.map((owner, n) => put(owner, { address: spelled[n % 3] })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.equal(answers.filter(({ status }) => status === 429).length, 3);
    codeIs(await put(await account('agents'), { address: 'victim@example.net' }), 429, 'RATE_LIMIT_EXCEEDED');
  });
});

describe('unsubscribing', () => {
  it('takes one POST without a key, and stays until the address is confirmed again', async () => {
    const owner = await verified('posters');
    const path = `/mail/unsubscribe/${service.deps.mailTokens.unsubscribe({ kind: 'poster', id: owner.id }, owner.address)}`;
    assert.match(await (await open(path, 'GET')).text(), /<button>Unsubscribe/);
    assert.equal((await contactOf(owner)).status, 'active');
    assert.equal((await open(path, 'POST', 'List-Unsubscribe=One-Click')).status, 200);
    assert.equal((await open(path, 'POST', 'List-Unsubscribe=One-Click')).status, 200);
    assert.equal((await contactOf(owner)).status, 'unsubscribed');
    expectStatus(await put(owner, { address: owner.address }), 200);
    assert.equal((await contactOf(owner)).status, 'unsubscribed');
    await send();
    await open(linkIn(smtp.to(owner.address).at(-1), 'verify'), 'POST');
    assert.equal((await contactOf(owner)).status, 'active');
  });

  it('by a link of an earlier address changes nothing', async () => {
    const owner = await verified('posters');
    const earlier = { kind: 'poster', id: owner.id } as const;
    const path = `/mail/unsubscribe/${service.deps.mailTokens.unsubscribe(earlier, 'earlier@example.com')}`;
    assert.equal((await open(path, 'POST')).status, 200);
    assert.equal((await contactOf(owner)).status, 'active');
  });
});

describe('an address that its server refuses for good', () => {
  it('is disabled and shown, and works again once it is confirmed again', async () => {
    const [owner, address] = [await account('agents'), newAddress()];
    smtp.faults.recipient = (to) => (to === address ? { code: 550, message: '5.1.1 no such user' } : null);
    await put(owner, { address });
    await send();
    const { status, refused, pending_address } = await contactOf(owner);
    assert.deepEqual([status, refused.address, refused.reason], ['disabled', address, '550 5.1.1 no such user']);
    assert.equal(pending_address, null);
    delete smtp.faults.recipient;
    await put(owner, { address });
    assert.equal((await contactOf(owner)).status, 'unverified');
    await send();
    await open(linkIn(smtp.to(address)[0], 'verify'), 'POST');
    const after = await contactOf(owner);
    assert.deepEqual([after.status, after.refused], ['active', null]);
  });
});

it('the tests received every code that these operations list, and the services logged no errors', () => {
  const names = Object.keys(contactOperations);
  assert.deepEqual(notSeen(...names), []);
  assert.deepEqual([...world.errors, ...silent.errors], []);
});
