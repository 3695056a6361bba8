import assert from 'node:assert/strict';
import { hash, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalize } from 'json-canonicalize';
import { BRIEF_TEXTS, type BriefText, type BriefTexts, briefTexts } from '../../../contract/projects/brief.ts';
import { projectTerms, termsOperations } from '../../../contract/projects/terms.ts';
import type { LicenceId } from '../../../contract/projects/rights.ts';
import { licences } from './licences.ts';
import { currentRules } from './market-rules.ts';
import { canonicalTerms, type Opening, openingTerms } from './project-terms.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, refusedAlike } from '../../../test/support/worlds/projects-world.ts';
import { getProject } from '../market/get-project.ts';
import { getTerms } from './get-terms.ts';
import type { Context } from '../../deps.ts';
import type { PublicCaller } from '../../callers.ts';

const settings = {
  closeNoticeMinutes: 15,
  confirmGraceSeconds: 30,
  placeHoldMinutes: 30,
  silenceShareCap: 10,
  autoPayoutHoldHours: 24,
};

const text = fc.string({ maxLength: 40, unit: 'grapheme' });
const texts = fc.array(text, { maxLength: 3 });
const micro = fc.integer({ min: 0, max: 1_000_000_000_000 });
const time = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
const address = fc.stringMatching(/^0x[0-9a-f]{40}$/);
const count = fc.integer({ min: 0, max: 1_000_000 });

const typed = BRIEF_TEXTS.map((field) => [field, briefTexts[field].type === 'array' ? texts : text]);
const briefs = {
  ...(Object.fromEntries(typed) as { [Field in BriefText]: fc.Arbitrary<BriefTexts[Field]> }),
  project_type_id: fc.constant('image' as const),
  specializations: texts,
  tags: texts,
  prize_amount: micro,
  entry_fee: micro,
  item_count: count,
  auto_select_deadline: time,
  judging_hours: count,
  max_entries: fc.option(count),
  licence: fc.constantFrom<LicenceId>('assignment', 'exclusive', 'CC-BY-4.0', 'CC0-1.0'),
  gallery: fc.constantFrom<'public' | 'winner_only' | 'private'>('public', 'winner_only', 'private'),
};

const rules = {
  closeNoticeSeconds: count,
  confirmGraceSeconds: count,
  placeHoldSeconds: count,
  extensionSeconds: count,
  shareCapMicro: micro,
  holdSeconds: count,
  aiJudge: fc.boolean(),
};

const rest = {
  projectId: fc.uuid(),
  platformFeePpm: count,
  winnerReceivesMicro: micro,
  network: fc.constantFrom('eip155:8453', 'eip155:84532'),
  asset: address,
  payTo: address,
  latestDeadline: time,
  referenceSha256s: fc.array(
    fc.constantFrom('a', 'b', 'c').map((digit) => digit.repeat(64)),
    { maxLength: 3 },
  ),
};

const openings: fc.Arbitrary<Opening> = fc.record({ ...rest, brief: fc.record(briefs), rules: fc.record(rules) });

type Change = (opening: Opening) => Opening;

/** For each of these values, a way to change an opening to another one. */
const changesOf = (group: string, values: object, replace: (change: object) => Change) =>
  Object.entries(values as Record<string, fc.Arbitrary<unknown>>).map(([name, value]) => ({
    name: `${group}${name}`,
    changed: value.map((other) => replace({ [name]: other })),
  }));

/** Every rule of a project. */
const changes = [
  ...changesOf('', rest, (change) => (opening) => ({ ...opening, ...change })),
  ...changesOf('brief.', briefs, (change) => (opening) => ({ ...opening, brief: { ...opening.brief, ...change } })),
  ...changesOf('rules.', rules, (change) => (opening) => ({ ...opening, rules: { ...opening.rules, ...change } })),
];

const hashOf = (opening: Opening): string => canonicalTerms(openingTerms(opening)).hash;
const { db } = await testDatabase();
const world = await projectsWorld(db);
const everyone: Context<PublicCaller> = { ...world.poster, caller: { kind: 'public' } };

const readVersion = (project_id: string, version?: number) =>
  getTerms(everyone, { params: { project_id }, query: { version } });

const read = async (project_id: string) => termsOperations.getTerms.output.parse(await readVersion(project_id));

describe('the terms of a project', () => {
  for (const { name, changed } of changes)
    it(`have another hash if ${name} is another one`, () => {
      fc.assert(
        fc.property(openings, changed, (opening, change) => {
          const other = change(opening);
          const isSame = JSON.stringify(opening) === JSON.stringify(other);
          assert.equal(hashOf(opening) === hashOf(other), isSame);
        }),
        { numRuns: 20 },
      );
    });

  it('have another hash in every version', () => {
    const terms = openingTerms(fc.sample(openings, 1)[0]!);
    assert.notEqual(canonicalTerms({ ...terms, version: 2 }).hash, canonicalTerms(terms).hash);
  });

  it('have the hash that another RFC 8785 package computes, also from the parsed answer', () => {
    fc.assert(
      fc.property(openings, (opening) => {
        const terms = openingTerms(opening);
        const { canonical, hash: own } = canonicalTerms(terms);
        assert.equal(canonical, canonicalize(terms));
        assert.equal(canonical, canonicalize(JSON.parse(JSON.stringify(terms))));
        assert.equal(own, `sha256:${hash('sha256', canonicalize(terms))}`);
      }),
      { numRuns: 100 },
    );
  });

  it('have only the members of the contract, and only integers', () => {
    fc.assert(
      fc.property(openings, (opening) => {
        const terms = openingTerms(opening);
        const members = Object.keys(projectTerms.shape).toSorted();
        const absent = opening.referenceSha256s.length === 0 ? ['reference_sha256s'] : [];
        assert.deepEqual(
          Object.keys(terms).toSorted(),
          members.filter((name) => !absent.includes(name)),
        );
        assert.deepEqual(projectTerms.parse(terms), terms);
        JSON.stringify(terms, (_, value: unknown) => {
          if (typeof value === 'number') assert.ok(Number.isSafeInteger(value), String(value));
          return value;
        });
      }),
      { numRuns: 50 },
    );
  });
});

it('the rules of a project that opens come from the settings, in whole seconds and microdollars', () => {
  assert.deepEqual(currentRules(settings, { entryFeeMicro: 250_000, aiJudge: true }), {
    closeNoticeSeconds: 900,
    placeHoldSeconds: 1_800,
    confirmGraceSeconds: 30,
    extensionSeconds: 86_400,
    shareCapMicro: 2_500_000,
    holdSeconds: 86_400,
    aiJudge: true,
  });
  const fractions = {
    closeNoticeMinutes: 0.01,
    placeHoldMinutes: 0.51,
    confirmGraceSeconds: 2.5,
    silenceShareCap: 0.3333,
    autoPayoutHoldHours: 0.0001,
  };
  const rounded = currentRules(fractions, { entryFeeMicro: 10_001, aiJudge: false });
  const { closeNoticeSeconds, confirmGraceSeconds, holdSeconds, shareCapMicro } = rounded;
  assert.deepEqual([closeNoticeSeconds, confirmGraceSeconds, holdSeconds, shareCapMicro], [1, 3, 1, 3_333]);
});

it('the texts of licenses never change once they are published: terms name their hashes', () => {
  assert.deepEqual(
    licences.map(({ id, version, sha256 }) => `${id} ${version} ${sha256}`),
    [
      'assignment 1 a3844f927d6abb236a16b1b2bb31918049670eb334406359beca7053f790c042',
      'exclusive 1 941f0b3066933fc012d0f7066485f66fc9cb46005799331fadb1099e96618116',
      'CC-BY-4.0 1 e8b3835e63b38fcb92216632858f1aee9f3fba4c7dcca64a766f0559ee8ac139',
      'CC0-1.0 1 11e49b397de72f3a93f465a2f527d834fcfcdf37449376a4770c2dc2cc3dc632',
    ],
  );
});

it('shows terms from the end of early access on, and to elite agents in the detail before', async () => {
  const [draft, id] = [await world.draft(), await world.published()];
  world.advance(59_999);
  await refusedAlike([read(id), readVersion(id, 1), read(randomUUIDv7()), read(draft)], 'PROJECT_NOT_FOUND');
  const { project } = await getProject(world.agent('elite'), { params: { projectId: id } });
  world.advance(1);
  const { terms, terms_hash } = await read(id);
  assert.deepEqual([project.terms, project.terms_hash], [terms, terms_hash]);
});

it('is guarded by the database: a version cannot change, and its hash is that of its text', async () => {
  const id = await world.published();
  for (const statement of [
    db`update project_terms set canonical = '{}' where project_id = ${id}`,
    db`delete from project_terms where project_id = ${id}`,
    db`truncate project_terms`,
  ])
    await assert.rejects(statement, /append-only/);
  const forged = db`
    insert into project_terms (project_id, version, canonical, hash, reason, created_at)
    select project_id, 2, '{}', hash, 'closes_early', created_at from project_terms where project_id = ${id}`;
  await assert.rejects(forged, /project_terms_hashed/);
});
