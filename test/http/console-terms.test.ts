import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeOf } from '../../console/format/dates.ts';
import { bytes } from '../../console/format/numbers.ts';
import { shortHash, shortId } from '../../console/format/text.ts';
import { market } from '../../console/messages/public.ts';
import { claimsOf } from '../../console/poster/handover/manifest-claims.ts';
import { type RuledProject, rulesInWords, type Terms } from '../../console/public-project/rules-in-words.ts';

// Tests how the console says terms, hashes, and manifests in words, without a browser.

const words = market.project.rules;

const project: RuledProject = {
  status: 'open',
  prize_amount_micro: 40_000_000,
  winner_receives_micro: 38_000_000,
  entry_fee_micro: 250_000,
  judging_hours: 72,
  item_count: 1,
  max_entries: null,
  auto_select_deadline: '2026-03-01T12:00:00.000Z',
  latest_deadline: '2026-03-31T12:00:00.000Z',
  closed_at: null,
  cancelled_at: null,
};

const terms = {
  extension_seconds: 86_400,
  close_notice_seconds: 900,
  confirm_grace_seconds: 30,
  selection: ['poster', 'scores', 'ai', 'silence'],
  silence: { share_cap_micro: 2_500_000 },
  hold: { selections: ['ai', 'silence'], seconds: 86_400, objection_seconds: 604_800 },
} as Terms['terms'];

describe('the rules of a project in words', () => {
  it('have the numbers of the terms', () => {
    const rules = rulesInWords(project, terms);
    assert.ok(rules.includes(words.early({ notice: '15 minutes' })));
    assert.ok(rules.includes(words.grace({ span: '30 seconds' })));
    assert.ok(rules.includes(words.unchosen({ ai: 'true' })));
    assert.ok(rules.includes(words.silenceFee({ cap: '2.50 USDC' })));
    assert.ok(rules.includes(words.hold({ span: '1 day' })));
    assert.ok(rules.includes(words.objections({ span: '7 days' })));
    assert.ok(rules.includes(words.prize({ prize: '40.00', rate: '5%', gets: '38.00' })));
    assert.equal(new Set(rules).size, rules.length);
  });

  it('leave out what the terms rule out', () => {
    const rules = rulesInWords(
      { ...project, entry_fee_micro: 0 },
      {
        ...terms,
        close_notice_seconds: 0,
        confirm_grace_seconds: 0,
        selection: ['poster'],
        hold: { ...terms.hold, seconds: 0 },
      },
    );
    assert.ok(rules.includes(words.early({ notice: 'none' })));
    assert.ok(rules.includes(words.unchosen({ ai: 'false' })));
    assert.ok(rules.includes(words.silenceFree));
    assert.deepEqual(
      rules.filter((rule) => rule.includes('object')),
      [],
    );
  });

  it('name places, sets, and the time of an ended project', () => {
    const closed_at = '2026-03-01T12:00:00.000Z';
    const rules = rulesInWords({ ...project, status: 'judging', closed_at, max_entries: 7, item_count: 3 }, terms);
    assert.ok(rules.includes(words.places({ most: 7 })));
    assert.ok(rules.includes(words.items({ most: 3 })));
    assert.deepEqual(
      rules.filter((rule) => rule.includes('close entries early') || rule.includes('move the deadline')),
      [],
    );
  });

  it('do not ask agents to enter a project that was cancelled while it was open', () => {
    const cancelled_at = '2026-02-20T09:30:00.000Z';
    const rules = rulesInWords({ ...project, status: 'cancelled', cancelled_at }, terms);
    assert.ok(rules.includes(words.cancelled({ at: timeOf(cancelled_at) })));
    assert.deepEqual(
      rules.filter((rule) => /can enter until|close entries early|move the deadline/.test(rule)),
      [],
    );
    const closed_at = '2026-03-01T12:00:00.000Z';
    const later = rulesInWords({ ...project, status: 'cancelled', closed_at, cancelled_at }, terms);
    assert.ok(later.includes(words.closed({ at: timeOf(closed_at) })));
  });

  it('are the general rules for a project without terms, and the old ones without a latest deadline', () => {
    assert.ok(
      rulesInWords({ ...project, ai_judge: true }, null).includes(words.silenceFee({ cap: words.usual.unknownCap })),
    );
    const old = rulesInWords({ ...project, latest_deadline: null, ai_judge: false }, null);
    assert.ok(old.includes(words.splitOld({ ai: 'false' })));
  });
});

describe('hashes, sizes, and manifests', () => {
  it('shortens a hash and keeps its algorithm', () => {
    const hash = '0123456789abcdef'.repeat(4);
    assert.equal(shortHash(`sha256:${hash}`), 'sha256:01234567…cdef');
    assert.equal(shortHash(hash), '01234567…cdef');
  });

  it('shortens an id to the digits that the watermark of a picture has', () => {
    assert.equal(shortId('01a1fd68-1a1d-7b89-b14d-8a21a36746c2'), 'a36746c2');
  });

  it('writes sizes of files', () => {
    assert.deepEqual([bytes(720), bytes(42_000), bytes(3_517_440)], ['720 bytes', '42 kB', '3.5 MB']);
  });

  it('reads the statements of a manifest, with any text', () => {
    const claims = { iss: 'https://market.example', files: [{ file_name: 'Übersicht ☼~?.png' }] };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    assert.deepEqual(claimsOf(`e30.${payload}.c2ln`), claims);
  });
});
