import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alertOperator } from '../../server/events/public.ts';
import { sendDueMail } from '../../server/mail/outbox/public.ts';
import { until } from '../support/processes/processes.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Alerts of the operator's event log go to the addresses of OPERATOR_EMAIL.

const smtp = await startSmtpServer();
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const world = await startWorld({
  env: { SMTP_URL: smtp.url, MAIL_FROM: 'market@example.com', OPERATOR_EMAIL: `${ADA}, ${BOB}` },
});
const { service, clock } = world;
const { deps } = service;
const { db } = deps;
const MINUTE_MS = 60_000;
const never = new AbortController().signal;

const tell = async (subject: string, message: string) =>
  await alertOperator(deps, { type: 'ALERT.PAYOUT_HELD', data: { subject, message, details: {} } });

/** Waits until the outbox has so many alerts, sent or not. */
async function queued(alerts: number): Promise<void> {
  await until('the alerts are queued', async () => {
    const [row] = await db<[{ count: number }]>`
      select coalesce(sum(jsonb_array_length(events)), 0)::integer as count from mail_outbox
      where account_kind = 'operator' and address = ${ADA} and due_at is not null`;
    return row.count === alerts;
  });
}

async function sent(emails: number): Promise<void> {
  await until('the emails are sent', async () => {
    await sendDueMail(deps, never);
    return smtp.to(ADA).length === emails && smtp.to(BOB).length === emails;
  });
}

describe('alerts by email', () => {
  it('reach every address at once, with the page where an operator acts', async () => {
    await tell('payout:1', 'A payout of 237.50 USDC is over a cap.');
    await sent(1);
    const [mail] = smtp.to(ADA);
    const { host } = new URL(deps.publicUrl);
    assert.equal(mail?.subject, `${host}: A payout of 237.50 USDC is over a cap.`);
    assert.match(
      mail.text ?? '',
      /ALERT\.PAYOUT_HELD at .* UTC, about payout:1\nA payout of 237\.50 USDC is over a cap\./,
    );
    assert.ok(mail.text?.includes(`${deps.publicUrl}/operator/payouts?state=held`), String(mail.text));
    assert.deepEqual(mail.recipients, [ADA], 'no operator sees the address of another one');
    assert.equal(mail.headers.get('list-unsubscribe'), undefined);
  });

  it('of the next five minutes come together', async () => {
    for (const each of [2, 3, 4]) await tell(`payout:${each}`, `Payout ${each} is over a cap.`);
    await queued(3);
    await sendDueMail(deps, never);
    assert.equal(smtp.to(ADA).length, 1, 'they wait');
    clock.offsetMs += 5 * MINUTE_MS;
    await sent(2);
    const mail = smtp.to(ADA).at(-1);
    assert.match(mail?.subject ?? '', /: 3 alerts$/);
    for (const each of [2, 3, 4]) assert.ok(mail?.text?.includes(`Payout ${each} is over a cap.`), String(mail?.text));
  });

  it('are plain text, whatever a stranger wrote', async () => {
    clock.offsetMs += 5 * MINUTE_MS;
    await tell('payout:5', 'Look\r\nBcc: eve@example.com\n<b>http://evil.example</b>');
    await sent(3);
    const mail = smtp.to(ADA).at(-1);
    assert.ok(!/^bcc:/im.test(mail?.raw.split('\r\n\r\n')[0] ?? ''), String(mail?.raw));
    assert.ok(!mail?.text?.includes('http://evil'), String(mail?.text));
    assert.ok(!String(mail?.html).includes('<b>http'), String(mail?.html));
  });

  it('wait while the mail server is away, and are told once', async () => {
    clock.offsetMs += 5 * MINUTE_MS;
    await smtp.pause();
    // The same alert about the same subject is told once a day.
    for (let times = 0; times < 2; times += 1) await tell('payout:6', 'Payout 6 is over a cap.');
    await until('a failed attempt', async () => {
      await sendDueMail(deps, never);
      const failed = await db`
        select 1 from mail_outbox where account_kind = 'operator' and attempts = 1 and due_at is not null`;
      return failed.length === 2;
    });
    await smtp.resume();
    clock.offsetMs += 5 * MINUTE_MS;
    await sent(4);
    assert.match(smtp.to(ADA).at(-1)?.subject ?? '', /: Payout 6 is over a cap\.$/);
  });

  it('do not reach an address that was taken from the setting', async () => {
    clock.offsetMs += 5 * MINUTE_MS;
    const now = clock.now();
    await db`
      insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, events, created_at, due_at)
      values (uuidv7(), 'events', 'operator', '00000000-0000-0000-0000-000000000000', 'old@example.com', 'old@example.com',
        ${db.json([{ id: '1', type: 'ALERT.PAYOUT_HELD', occurred_at: now.toISOString(), data: {} }])}, ${now}, ${now})`;
    await until('it is dropped', async () => {
      await sendDueMail(deps, never);
      const [row] = await db<{ failure: string | null }[]>`
        select failure from mail_outbox where address = 'old@example.com' and due_at is null`;
      return row?.failure === 'the address is not in use any more';
    });
    assert.equal(smtp.to('old@example.com').length, 0);
  });
});
