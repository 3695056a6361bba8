import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { agentEventData } from '../../contract/events/agent-events.ts';
import { typesOf } from '../../contract/events/event-fields.ts';
import { posterEventData } from '../../contract/events/poster-events.ts';
import { isMailed, mailWordsOf } from './event-words.ts';
import { inert, writeLetter } from './letter.ts';
import { createMailTokens } from './mail-tokens.ts';
import { startSmtpServer } from '../../test/support/servers/smtp-server.ts';
import type { Mail } from './types.ts';
import { createSmtpTransport } from './smtp-transport.ts';

const server = await startSmtpServer();
const from = 'Concours <market@example.com>';
const send = createSmtpTransport({ url: server.url, from });

const mail = (change: Partial<Mail> = {}): Mail => ({
  to: 'ann@example.com',
  messageId: '<1@example.com>',
  subject: 'Hello',
  text: 'In text.',
  headers: {},
  date: new Date('2026-03-01T12:00:00Z'),
  ...change,
});

describe('a letter', () => {
  it('holds strangers’ text as text, also in the subject', () => {
    const evil = '<img src=x onerror=alert(1)> "&\' </p>\r\nBcc: victim@example.com';
    const { subject, text } = writeLetter({
      subject: evil,
      paragraphs: [{ text: evil, link: { label: evil, url: 'https://market.example/projects/1?a=1&b="2"' } }],
      footer: [{ text: 'Bye.' }],
    });
    assert.ok(!/[\r\n]/.test(subject), subject);
    assert.ok(text.includes('https://market.example/projects/1?a=1&b="2"'));
  });

  it('makes a title inert', () => {
    assert.equal(inert('Win\r\n\tnow\u{202E}evil\u{0000}'), 'Win now evil');
    assert.equal(inert('https://evil.example or WWW.evil.example'), 'https: //evil . example or WWW . evil . example');
    assert.equal(inert('Pay 1.50 to pay@evil.co.uk/x. Now'), 'Pay 1.50 to pay @ evil . co . uk/x. Now');
    assert.equal(inert('x'.repeat(300)).length, 100);
    assert.equal(Array.from(inert('🦊'.repeat(300))).length, 100);
  });
});

describe('the tokens of links', () => {
  const tokens = createMailTokens({ key: randomBytes(32) });
  const account = { kind: 'poster', id: randomUUIDv7() } as const;

  it('say whose emails to which address they end', () => {
    const token = tokens.unsubscribe(account, 'Ann@x.org');
    assert.deepEqual(tokens.readUnsubscribe(token), { account, addressHash: tokens.addressHash('ann@x.org') });
    assert.notEqual(tokens.addressHash('ann@x.org'), tokens.addressHash('bob@x.org'));
    assert.ok(!token.includes('@') && /^[\w-]+$/.test(token));
  });

  it('are refused when anything in them is changed, and from another key', () => {
    const token = tokens.unsubscribe(account, 'ann@x.org');
    for (let index = 0; index < token.length - 1; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      assert.equal(tokens.readUnsubscribe(token.slice(0, index) + other + token.slice(index + 1)), null, `${index}`);
    }
    const foreign = createMailTokens({ key: randomBytes(32) });
    for (const bad of ['', 'a', `${token}A`, token.slice(1), foreign.unsubscribe(account, 'ann@x.org')])
      assert.equal(tokens.readUnsubscribe(bad), null, bad);
    assert.equal(
      tokens.readUnsubscribe(tokens.unsubscribe({ ...account, kind: 'agent' }, 'ann@x.org'))?.account.kind,
      'agent',
    );
  });
});

it('every event has words, except those on which nobody has to act, and they fit into a subject', () => {
  const types = { agent: typesOf(agentEventData), poster: typesOf(posterEventData) };
  const quiet = { agent: ['SUBMISSION.CONFIRMED', 'SUBMISSION.SCORED'], poster: ['ENTRY.CONFIRMED'] };
  const pages: Record<string, string> = {
    KEY: '/keys',
    SESSION: '/keys',
    WALLET: '/wallet',
    WEBHOOK: '/notifications',
  };
  for (const kind of ['agent', 'poster'] as const) {
    assert.deepEqual(
      types[kind].filter((type) => !isMailed(kind, type)),
      quiet[kind],
    );
    for (const type of types[kind].filter((each) => isMailed(kind, each))) {
      const words = mailWordsOf(kind, {
        id: randomUUIDv7(),
        type,
        occurred_at: '2026-03-01T12:00:00.000Z',
        data: {},
      });
      assert.ok(words.subject.length <= 60 && /[.”]$/.test(words.text), `${type}: ${words.text}`);
      assert.equal(words.path, `/${kind}${pages[type.split('.', 1)[0]!] ?? ''}`);
    }
  }
});

describe('an email', () => {
  it('arrives as plain text, with its headers', async () => {
    const headers = {
      'List-Unsubscribe': '<https://x.example/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    assert.deepEqual(await send(mail({ headers })), { kind: 'sent' });
    const [got] = server.to('ann@example.com');
    assert.equal(got?.subject, 'Hello');
    assert.equal(got.messageId, '<1@example.com>');
    assert.equal(got.text?.trim(), 'In text.');
    assert.equal(got.html, false);
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
