import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import pino from 'pino';
import { type NewEvent, numberEvents, recordEvents } from '../../server/events/public.ts';
import { derivedParts } from '../../server/derived-parts.ts';
import { confirmAddress } from '../../server/mail/follow-link.ts';
import { createMailTokens } from '../../server/mail/mail-tokens.ts';
import { queueEventMail } from '../../server/mail/queue-events.ts';
import { sendDueMail } from '../../server/mail/send-mail.ts';
import { offerContact } from '../../server/mail/set-contact.ts';
import { createSmtpTransport } from '../../server/mail/smtp-transport.ts';
import type { Deps } from '../../server/deps.ts';
import type { MailAccount, SendMail } from '../../server/mail/types.ts';
import { linkIn } from '../support/clients/mail-links.ts';
import { orderedId } from '../support/ordered-ids.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { testDatabase } from '../support/test-database.ts';

// Events become emails, over a real mail server that is down, refuses, or is slow.

const { db } = await testDatabase();
const smtp = await startSmtpServer();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const never = new AbortController().signal;

let now = Date.parse('2026-03-01T12:00:00Z');
const account = { url: smtp.url, from: 'market@example.com' };
const smtpTransport = createSmtpTransport(account);

/** The parts of one process. Several share the database. */
function newProcess(sendMail: SendMail | null = smtpTransport): Deps {
  return {
    db,
    clock: { now: () => new Date(now) },
    newId: orderedId,
    sendMail,
    mailTokens: createMailTokens({ key: Buffer.alloc(32, 7) }),
    publicUrl: 'http://market.example',
    log: pino({ level: 'silent' }),
    config: { operatorEmails: [] },
  } as unknown as Deps;
}
const one = newProcess();

beforeEach(() => {
  for (const fault of ['recipient', 'data', 'hold', 'accepted'] as const) delete smtp.faults[fault];
});

type Contact = MailAccount & { address: string };

async function contact(kind: MailAccount['kind'], change: object = {}): Promise<Contact> {
  const made = { kind, id: randomUUIDv7(), address: `${randomBytes(6).toString('hex')}@example.com` };
  const at = new Date(now);
  await db`
    insert into mail_contacts ${db({
      account_kind: kind,
      account_id: made.id,
      address: made.address,
      verified_at: at,
      created_at: at,
      updated_at: at,
      ...change,
    })}`;
  return made;
}

async function happen({ kind, id }: MailAccount, reason = 'It broke rule 7.'): Promise<void> {
  const ids = { project_id: randomUUIDv7(), submission_id: randomUUIDv7() };
  const event: NewEvent =
    kind === 'agent'
      ? { agent: id, type: 'SUBMISSION.DISQUALIFIED', data: { ...ids, reason } }
      : {
          poster: id,
          type: 'PROJECT.CANCELLED',
          data: { project_id: ids.project_id, reason, cancelled_by: 'operator' },
        };
  await db.begin((tx) => recordEvents(one, tx, new Date(now), [event]));
  await numberEvents(one);
}

async function run(process = one): Promise<void> {
  await queueEventMail(process, never);
  await sendDueMail(process, never);
}

const queued = async ({ id }: MailAccount) =>
  await db<{ dueAt: Date | null; attempts: number; sentAt: Date | null; failure: string | null }[]>`
    select due_at as "dueAt", attempts, sent_at as "sentAt", failure from mail_outbox where account_id = ${id}`;

describe('an event', () => {
  it('becomes one email in words, with a link to its page and one that ends the emails', async () => {
    const owner = await contact('agent');
    await happen(owner, 'See <b>https://evil.example</b>\r\nBcc: x@example.com');
    await run();
    await run();
    const [mail, ...more] = smtp.to(owner.address);
    assert.equal(more.length, 0);
    assert.equal(mail?.subject, 'Your entry was disqualified');
    assert.match(mail.text ?? '', /Reason: “See <b>https: \/\/evil \. example<\/b> Bcc: x @ example \. com”/);
    assert.equal(mail.html, false);
    assert.match(mail.text ?? '', /http:\/\/market\.example\/projects\/[\da-f-]{36}/);
    const unsubscribe = linkIn(mail, 'unsubscribe');
    assert.match(mail.raw, new RegExp(`^List-Unsubscribe:\\s+<http://market.example${unsubscribe}>\\r$`, 'm'));
    assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  });

  it('is not sent if its account has unsubscribed or has no address', async () => {
    const others = [
      await contact('poster', { unsubscribed_at: new Date(now) }),
      await contact('poster', { address: null, verified_at: null }),
    ];
    for (const other of others) await happen(other);
    const last = await contact('poster');
    await happen(last);
    await queueEventMail(one, never);
    await db`update mail_contacts set unsubscribed_at = ${new Date(now)} where account_id = ${last.id}`;
    await run();
    for (const { address } of [...others, last]) assert.equal(smtp.to(address).length, 0, address);
    assert.deepEqual(await queued(last), [{ dueAt: null, attempts: 0, sentAt: null, failure: null }]);
  });

  it('of a shared prize is told once, and asks for nothing that is over', async () => {
    const owner = await contact('poster');
    const at = new Date(now);
    const project_id = randomUUIDv7();
    const share = (): NewEvent => ({
      poster: owner.id,
      type: 'PRIZE.PAID',
      data: {
        project_id,
        payout_id: randomUUIDv7(),
        submission_id: randomUUIDv7(),
        amount_micro: 500_000,
        recipient: '0x1',
        tx_hash: null,
        shared: true,
      },
    });
    const began = { project_id, judging_ends_at: at.toISOString(), total_submissions: 2 };
    const events = [share(), share(), { poster: owner.id, type: 'JUDGING.STARTED', data: began } as const];
    await db.begin((tx) => recordEvents(one, tx, at, events));
    await numberEvents(one);
    await run();
    assert.deepEqual(
      smtp.to(owner.address).map(({ subject }) => subject),
      ['The prize is shared'],
    );
  });

  it('with the link of an address is also sent by a process that has another SECRETS_KEY and accepts the first', async () => {
    const [key, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const processOf = (current: string, accepted: string) => ({
      ...one,
      ...derivedParts(current, [accepted], { ...one, randomBytes }),
    });
    const [owner, address] = [{ kind: 'agent', id: randomUUIDv7() } as const, 'ann@example.com'];
    const queuing = processOf(key, other);
    assert.ok(await db.begin((tx) => offerContact(queuing, tx, { account: owner, address, now: new Date(now) })));
    await run(processOf(other, key));
    const token = linkIn(smtp.to(address)[0], 'verify').split('/').at(-1) ?? '';
    assert.ok(await confirmAddress(one, token));
  });

  it('of a time without a mail server is never sent', async () => {
    const owner = await contact('poster');
    await happen(owner);
    await run(newProcess(null));
    await run();
    assert.equal(smtp.to(owner.address).length, 0);
  });
});

describe('two processes', () => {
  it('send each email once', async () => {
    const owners = await Promise.all(Array.from({ length: 30 }, () => contact('poster')));
    for (const owner of owners) await happen(owner);
    smtp.faults.hold = async () => await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([run(), run(newProcess()), run(newProcess())]);
    await run();
    assert.deepEqual(
      owners.map(({ address }) => smtp.to(address).length),
      owners.map(() => 1),
    );
  });

  it('take over an email whose lease ended, and the late outcome of the first changes nothing', async () => {
    const owner = await contact('poster');
    await happen(owner);
    await queueEventMail(one, never);
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const paused = newProcess(async (mail) => {
      reached.resolve();
      await go.promise;
      return { kind: 'dead_address', reason: `550 of ${mail.to}` };
    });
    const slow = sendDueMail(paused, never);
    await reached.promise;
    now += 3 * MINUTE_MS;
    await sendDueMail(one, never);
    go.resolve();
    await slow;
    const [row] = await queued(owner);
    assert.ok(row?.sentAt);
    const [shown] = await db`select refused_address from mail_contacts where account_id = ${owner.id}`;
    assert.equal(shown?.['refused_address'], null);
  });
});

describe('a mail server', () => {
  it('that is down or refuses for now is tried again after 1, 5, 30, 120 minutes', async () => {
    const owner = await contact('poster');
    await happen(owner);
    await smtp.pause();
    await run();
    for (const minutes of [1, 5, 30]) {
      const [row] = await queued(owner);
      assert.equal(row?.dueAt?.getTime(), now + minutes * MINUTE_MS);
      now += minutes * MINUTE_MS - 1;
      await run();
      assert.equal((await queued(owner))[0]?.attempts, row?.attempts);
      now += 1;
      if (minutes === 5) {
        await smtp.resume();
        smtp.faults.recipient = () => ({ code: 451, message: '4.3.0 later' });
      }
      await run();
    }
    assert.equal((await queued(owner))[0]?.failure, '451 4.3.0 later');
    delete smtp.faults.recipient;
    now += 2 * HOUR_MS;
    await run();
    assert.equal(smtp.to(owner.address).length, 1);
    assert.deepEqual([(await queued(owner))[0]?.dueAt, (await queued(owner))[0]?.failure], [null, null]);
  });

  it('that refuses an address for good disables it, and drops what waits for it', async () => {
    const owner = await contact('poster');
    await happen(owner);
    await happen(owner);
    smtp.faults.recipient = (address) => (address === owner.address ? { code: 550, message: '5.1.1 unknown' } : null);
    await run();
    await happen(owner);
    await run();
    const [shown] = await db`select refused_address, refused_reason from mail_contacts where account_id = ${owner.id}`;
    assert.deepEqual({ ...shown }, { refused_address: owner.address, refused_reason: '550 5.1.1 unknown' });
    assert.equal((await queued(owner)).length, 2);
    assert.ok((await queued(owner)).every(({ dueAt }) => dueAt === null));
    delete smtp.faults.recipient;
    await run();
    assert.equal(smtp.to(owner.address).length, 0);
  });
});
