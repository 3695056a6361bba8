import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSmtpServer } from '../../../test/support/servers/smtp-server.ts';
import type { Mail } from '../../ports/mail.ts';
import { createSmtpTransport } from './smtp-transport.ts';

const server = await startSmtpServer();
const from = 'Concours <market@example.com>';
const send = createSmtpTransport({ url: server.url, from });

const mail = (change: Partial<Mail> = {}): Mail => ({
  to: 'ann@example.com',
  messageId: '<1@example.com>',
  subject: 'Hello',
  text: 'In text.',
  html: '<p>In HTML.</p>',
  headers: {},
  date: new Date('2026-03-01T12:00:00Z'),
  ...change,
});

describe('an email', () => {
  it('arrives in both bodies, with its headers', async () => {
    const headers = {
      'List-Unsubscribe': '<https://x.example/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    assert.deepEqual(await send(mail({ headers })), { kind: 'sent' });
    const [got] = server.to('ann@example.com');
    assert.equal(got?.subject, 'Hello');
    assert.equal(got.messageId, '<1@example.com>');
    assert.equal(got.text?.trim(), 'In text.');
    assert.match(String(got.html), /In HTML/);
    assert.match(got.raw, /^List-Unsubscribe: <https:\/\/x\.example\/u\/1>\r$/m);
    assert.match(got.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.match(got.raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.equal(got.from?.text, '"Concours" <market@example.com>');
  });

  it('takes no further header or recipient from a text', async () => {
    const evil = 'Hi\r\nBcc: victim@example.com\r\n\r\nbody';
    await send(mail({ to: 'one@example.com', subject: evil, messageId: '<2@example.com>' }));
    const [got] = server.to('one@example.com');
    assert.deepEqual(got?.recipients, ['one@example.com']);
    assert.equal(got.bcc, undefined);
    assert.ok(!/^Bcc:/im.test(got.raw.slice(0, got.raw.indexOf('\r\n\r\n'))), got.raw);
    for (const to of [
      'a@example.com, b@example.com',
      'a@example.com\r\nRCPT TO:<b@example.com>',
      '<a@example.com> b@example.com',
    ])
      await send(mail({ to, messageId: '<3@example.com>' }));
    assert.deepEqual(
      server.received.filter(({ recipients }) => recipients.length !== 1 || recipients[0] === 'b@example.com'),
      [],
    );
  });
});

describe('a mail server that fails', () => {
  it('is tried later while it is down, and after a temporary refusal', async () => {
    await server.pause();
    assert.equal((await send(mail())).kind, 'later');
    await server.resume();
    server.faults.recipient = () => ({ code: 451, message: '4.7.1 greylisted' });
    assert.deepEqual(await send(mail()), { kind: 'later', reason: '451 4.7.1 greylisted' });
    server.faults.recipient = () => ({ code: 550, message: '5.7.1 relaying denied' });
    assert.equal((await send(mail())).kind, 'later');
  });

  it('disables an address that it refuses for good, but not for the text of an email', async () => {
    server.faults.recipient = () => ({ code: 550, message: '5.1.1 no such\u{1B}[31m user' });
    assert.deepEqual(await send(mail()), { kind: 'dead_address', reason: '550 5.1.1 no such [31m user' });
    delete server.faults.recipient;
    server.faults.data = () => ({ code: 554, message: '5.6.0 we do not like it' });
    assert.equal((await send(mail())).kind, 'refused');
    delete server.faults.data;
  });

  it('does not hold an email for longer than its deadline', async () => {
    const held = Promise.withResolvers<void>();
    server.faults.hold = () => held.promise;
    const impatient = createSmtpTransport({ url: server.url, from, times: { deadlineMs: 50 } });
    assert.deepEqual(await impatient(mail()), { kind: 'later', reason: 'the mail server is too slow' });
    const silent = createSmtpTransport({ url: server.url, from, times: { silenceMs: 50 } });
    assert.equal((await silent(mail())).kind, 'later');
    delete server.faults.hold;
    held.resolve();
  });
});
