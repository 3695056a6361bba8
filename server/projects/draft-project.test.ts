import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { posterOperations, type ProjectBrief } from '../../contract/posters.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { deleteProject } from './delete-project.ts';
import { draftProject } from './draft-project.ts';
import { getOwnProject } from './get-own-project.ts';
import {
  BRIEF,
  insertUndecidedPayment,
  projectsWorld,
  refusal,
  refusedAlike,
} from '../../test/support/worlds/projects-world.ts';
import { winnerReceivesMicro } from './places.ts';
import { countBrief } from './analyze-brief.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const { body: schema, output } = posterOperations.draftProject;
const draft = (change: object = {}) => draftProject(world.poster, { body: schema.parse({ ...BRIEF, ...change }) });

const refused = (change: object) => {
  const parsed = schema.safeParse({ ...BRIEF, ...change });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
};

const remove = (id: string, by = world.poster) => deleteProject(by, { params: { project_id: id } });
const brief = (change: object = {}): ProjectBrief => posterOperations.draftProject.body.parse({ ...BRIEF, ...change });

describe('draftProject', () => {
  it('saves a draft that shows the given and the derived fields', async () => {
    const { message, project } = output.parse(
      await draft({ specializations: ['logo_design', 'illustration', 'logo-design'] }),
    );
    assert.match(message, /Draft/);
    const { id, ai_analysis, specializations, ...rest } = project;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.ok(ai_analysis.complexity_score > 0 && ai_analysis.estimated_hours > 0);
    assert.deepEqual(
      specializations.map(({ id: name, category }) => `${name} ${category}`),
      ['logo-design Symbols & Corporate', 'illustration Art'],
    );
    assert.deepEqual(rest, {
      poster_id: world.poster.caller.posterId,
      title: BRIEF.title,
      description: BRIEF.description,
      prize_amount: 100_000_000,
      prize_amount_micro: 100_000_000,
      entry_fee: 250_000,
      entry_fee_micro: 250_000,
      winner_receives_micro: 95_000_000,
      max_entries: null,
      places_left: null,
      expected_value_micro: 94_750_000,
      platform_fee_rate: 0.05,
      project_type_id: 'image',
      requirements: '',
      item_count: 1,
      style_references: [],
      color_preferences: [],
      size_requirements: '',
      auto_select_deadline: '2026-03-08T12:00:00.000Z',
      latest_deadline: null,
      closes_at: null,
      result_on_hold: null,
      hold_reason: null,
      planned_winner_id: null,
      planned_no_winner: false,
      judging_hours: 72,
      metadata: { tags: [] },
      status: 'draft',
      cancel_reason: null,
      no_winner_reason: null,
      cancelled_at: null,
      cancelled_by: null,
      closed_at: null,
      judging_ends_at: null,
      awarded_at: null,
      licence: 'assignment',
      gallery: 'public',
      terms_version: null,
      terms_hash: null,
      selection: null,
      payout_status: null,
      payouts: [],
      winner_submission_id: null,
      total_submissions: 0,
      drafted_at: world.at().toISOString(),
      created_at: world.at().toISOString(),
      updated_at: world.at().toISOString(),
      published_at: null,
      completed_at: null,
    });
  });

  it('refuses values out of range, and names the field', () => {
    assert.deepEqual(refused({ title: ' ab ' }), ['title']);
    assert.deepEqual(refused({ description: 'too short' }), ['description']);
    assert.deepEqual(refused({ prize_amount: 0.999999 }), ['prize_amount']);
    assert.deepEqual(refused({ prize_amount: 1_000_000.000001 }), ['prize_amount']);
    assert.deepEqual(refused({ entry_fee: -1 }), ['entry_fee']);
    assert.deepEqual(refused({ specializations: [] }), ['specializations']);
    assert.deepEqual(refused({ specializations: ['a', 'b', 'c', 'd', 'e', 'f'] }), ['specializations']);
    assert.deepEqual(refused({ item_count: 21 }), ['item_count']);
    assert.deepEqual(refused({ style_references: ['javascript:alert(1)'] }), ['style_references.0']);
    assert.deepEqual(refused({ auto_select_deadline: '2026-02-30' }), ['auto_select_deadline']);
    assert.deepEqual(refused({ judging_hours: 721 }), ['judging_hours']);
    assert.deepEqual(refused({ project_type_id: 'video' }), ['project_type_id']);
  });

  it('refuses an entry fee above half of the prize', async () => {
    const half = { prize_amount: 3, entry_fee: 1.5 };
    assert.equal(output.parse(await draft(half)).project.entry_fee, 1_500_000);
    const { details } = await refusal(draft({ ...half, entry_fee: 1.500001 }), 'VALIDATION_ERROR');
    assert.deepEqual(details, [{ field: 'entry_fee', message: 'must be at most half of the prize of 3 USDC' }]);
  });

  it('names unknown specializations and a deadline that is not in the future, both at once', async () => {
    const error = await refusal(
      draft({ specializations: ['logo-design', 'no-such-thing'], auto_select_deadline: world.at().toISOString() }),
      'VALIDATION_ERROR',
    );
    assert.deepEqual(
      error.details?.map((detail) => detail.field),
      ['specializations', 'auto_select_deadline'],
    );
    assert.match(error.message, /^Validation failed: .*no-such-thing/);
  });

  it('accepts a deadline of at most 30 days from now', async () => {
    const latest = world.at(30 * 86_400_000);
    assert.equal(
      output.parse(await draft({ auto_select_deadline: latest.toISOString() })).project.auto_select_deadline,
      latest.toISOString(),
    );
    const later = { auto_select_deadline: new Date(latest.getTime() + 1).toISOString() };
    const error = await refusal(draft(later), 'VALIDATION_ERROR');
    assert.deepEqual(error.details, [
      { field: 'auto_select_deadline', message: `must not be later than ${latest.toISOString()}` },
    ]);
  });

  it('keeps the platform fee of the draft, also when the setting changes', async () => {
    const free = await projectsWorld(db, { config: { platformFeePpm: 0, minEntryFeeMicro: 10_000 } as never });
    const { project } = await draftProject(free.poster, { body: schema.parse({ ...BRIEF, prize_amount: '1.000001' }) });
    assert.deepEqual([project.platform_fee_rate, project.winner_receives_micro], [0, 1_000_001]);
  });

  it('shows the part of the winner, rounded down exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 0, max: 1e6 }), (prizeMicro, ppm) => {
        const winner = winnerReceivesMicro(prizeMicro, ppm);
        const whole = BigInt(prizeMicro) * BigInt(1_000_000 - ppm);
        assert.ok(BigInt(winner) * 1_000_000n <= whole && whole < BigInt(winner + 1) * 1_000_000n);
      }),
    );
    assert.equal(winnerReceivesMicro(1_000_001, 50_000), 950_000);
    assert.equal(winnerReceivesMicro(1e12 - 1, 50_000), 949_999_999_999);
  });
});

describe('getOwnProject', () => {
  it('shows a draft and an open project to its poster', async () => {
    const [unpublished, open] = [await world.draft(), await world.published()];
    for (const [id, status] of [
      [unpublished, 'draft'],
      [open, 'open'],
    ] as const) {
      const { project } = posterOperations.getOwnProject.output.parse(
        await getOwnProject(world.poster, { params: { project_id: id } }),
      );
      assert.deepEqual([project.id, project.status], [id, status]);
    }
  });

  it('answers for a foreign project exactly as for a missing one', async () => {
    const foreign = await world.draft({}, await world.newPoster());
    const answers = [foreign, randomUUIDv7()].map((id) => getOwnProject(world.poster, { params: { project_id: id } }));
    await refusedAlike(answers, 'PROJECT_NOT_FOUND');
  });
});

describe('deleteProject', () => {
  it('removes a draft', async () => {
    const id = await world.draft();
    assert.deepEqual(await remove(id), { message: 'Draft deleted.', projectId: id });
    await refusal(getOwnProject(world.poster, { params: { project_id: id } }), 'PROJECT_NOT_FOUND');
    await refusal(remove(id), 'PROJECT_NOT_FOUND');
  });

  it('refuses a project that is not a draft, and names its status', async () => {
    const id = await world.published();
    for (const status of ['open', 'judging', 'completed', 'cancelled']) {
      await world.setStatus(id, status);
      assert.match((await refusal(remove(id), 'PROJECT_STATE_CONFLICT')).message, new RegExp(`is ${status}`));
    }
  });

  it('refuses a draft whose prize is being paid', async () => {
    const id = await world.draft();
    await insertUndecidedPayment(db, id);
    assert.match((await refusal(remove(id), 'PROJECT_STATE_CONFLICT')).message, /draft.*being paid/);
    assert.equal((await getOwnProject(world.poster, { params: { project_id: id } })).project.status, 'draft');
  });

  it('refuses a foreign project exactly as a missing one', async () => {
    const foreign = await world.draft({}, await world.newPoster());
    await refusedAlike(
      [foreign, randomUUIDv7()].map((id) => remove(id)),
      'PROJECT_NOT_FOUND',
    );
  });
});

describe('countBrief', () => {
  it('counts as documented', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    const plain = { title: 'One two three', description: words(47), specializations: ['a'] };
    assert.deepEqual(countBrief(brief(plain)), { complexity_score: 1, estimated_hours: 2 });
    assert.deepEqual(countBrief(brief({ ...plain, item_count: 5 })), {
      complexity_score: 2,
      estimated_hours: 7.5,
    });
    assert.deepEqual(countBrief(brief({ ...plain, specializations: ['a', 'b', 'c'] })), {
      complexity_score: 2,
      estimated_hours: 2.5,
    });
    assert.deepEqual(countBrief(brief({ ...plain, requirements: words(100), size_requirements: '1024x1024' })), {
      complexity_score: 2.5,
      estimated_hours: 3,
    });
  });

  it('gives 10 to the largest possible brief', () => {
    const largest = brief({
      description: 'word '.repeat(1900),
      item_count: 20,
      specializations: ['a', 'b', 'c', 'd', 'e'],
      style_references: Array.from({ length: 20 }, (_, index) => `https://example.com/${index}`),
      color_preferences: Array.from({ length: 20 }, (_, index) => `color ${index}`),
      size_requirements: 'large',
    });
    assert.deepEqual(countBrief(largest), { complexity_score: 10, estimated_hours: 89.5 });
  });

  it('stays within 0 to 10 with one decimal, and gives the same brief the same score', () => {
    const briefs = fc.record({
      description: fc.string({ minLength: 25, maxLength: 5000 }).filter((text) => text.trim().length >= 25),
      item_count: fc.integer({ min: 1, max: 20 }),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 20 }),
      specializations: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
    });
    fc.assert(
      fc.property(briefs, (change) => {
        const first = countBrief(brief(change));
        assert.ok(first.complexity_score >= 0 && first.complexity_score <= 10);
        assert.equal(first.complexity_score, Number(first.complexity_score.toFixed(1)));
        assert.equal(first.estimated_hours * 2, Math.round(first.estimated_hours * 2));
        assert.deepEqual(countBrief(brief(change)), first);
      }),
    );
  });
});
