import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { mailTypes } from '../../../contract/contacts.ts';
import { worded, wordsOf } from './event-words.ts';
import { inert, writeLetter } from './letter.ts';
import { createMailTokens } from './mail-tokens.ts';

describe('a letter', () => {
  it('holds strangers’ text as text, in both bodies and in the subject', () => {
    const evil = '<img src=x onerror=alert(1)> "&\' </p>\r\nBcc: victim@example.com';
    const { subject, text, html } = writeLetter({
      subject: evil,
      paragraphs: [{ text: evil, link: { label: evil, url: 'https://market.example/projects/1?a=1&b="2"' } }],
      footer: [{ text: 'Bye.' }],
    });
    assert.ok(!/[\r\n]/.test(subject), subject);
    assert.ok(!html.includes('<img') && !html.includes('="2"'), html);
    assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/);
    assert.match(html, /href="https:\/\/market\.example\/projects\/1\?a=1&amp;b=&quot;2&quot;"/);
    assert.ok(text.includes('https://market.example/projects/1?a=1&b="2"'));
  });

  it('makes a title inert', () => {
    assert.equal(inert('Win\r\n\tnow\u{202E}evil\u{0000}'), 'Win now evil');
    assert.equal(inert('https://evil.example or WWW.evil.example'), 'https: //evil.example or www evil.example');
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

describe('an event in words', () => {
  it('has words for every type that can be chosen, and none is longer than a subject may be', () => {
    for (const kind of ['agent', 'poster'] as const) {
      assert.deepEqual(worded[kind].toSorted(), [...mailTypes[kind]].toSorted());
      for (const type of mailTypes[kind]) {
        const words = wordsOf(kind, { id: randomUUIDv7(), type, occurred_at: '2026-03-01T12:00:00.000Z', data: {} });
        assert.ok(words.subject.length <= 60 && /[.”]$/.test(words.text), `${type}: ${words.text}`);
        assert.equal(words.path, kind === 'agent' ? '/agent' : '/poster');
      }
    }
  });
});
