import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { getOwnProject } from './get-own-project.ts';
import {
  insertUndecidedPayment,
  projectsWorld,
  refusal,
  refusedAlike,
} from '../../test/support/worlds/projects-world.ts';
import { updateProject } from '../judging/update-project.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const { body: schema, output } = posterOperations.updateProject;
const update = async (id: string, patch: object, by = world.poster) =>
  output.parse(await updateProject(by, { params: { project_id: id }, body: schema.parse(patch) })).project;
const read = async (id: string) => (await getOwnProject(world.poster, { params: { project_id: id } })).project;

describe('updateProject of a draft', () => {
  it('changes every field, and analyzes the brief again', async () => {
    const id = await world.draft();
    const before = await read(id);
    world.advance(1000);
    const patch = {
      title: 'Another title',
      description: 'Another description, longer than the least there must be.',
      prize_amount: '250.5',
      entry_fee: 0,
      specializations: ['icon_design'],
      project_type_id: 'image',
      requirements: 'word '.repeat(200),
      item_count: 4,
      style_references: ['https://example.com/'],
      color_preferences: ['red'],
      size_requirements: 'small',
      auto_select_deadline: '2026-03-31T00:00:00Z',
      judging_hours: 1,
      tags: ['new'],
    };
    const after = await update(id, patch);
    assert.deepEqual(
      [
        after.title,
        after.prize_amount,
        after.entry_fee,
        after.item_count,
        after.color_preferences,
        after.metadata.tags,
        after.judging_hours,
      ],
      ['Another title', 250_500_000, 0, 4, ['red'], ['new'], 1],
    );
    assert.deepEqual(
      after.specializations.map((named) => named.id),
      ['icon-design'],
    );
    assert.ok(after.ai_analysis.complexity_score > before.ai_analysis.complexity_score);
    assert.equal(after.created_at, before.created_at.toISOString());
    assert.equal(after.updated_at, world.at().toISOString());
    assert.equal(after.platform_fee_rate, 0.05);
  });

  it('refuses unknown and read-only fields, and an empty patch', () => {
    for (const patch of [
      { status: 'open' },
      { platform_fee_rate: 0 },
      { winner_submission_id: null },
      { nonsense: 1 },
      {},
    ]) {
      assert.equal(schema.safeParse(patch).success, false, JSON.stringify(patch));
    }
  });

  it('refuses unknown specializations and a past deadline', async () => {
    const id = await world.draft();
    await refusal(update(id, { specializations: ['no-such-thing'] }), 'VALIDATION_ERROR');
    await refusal(update(id, { auto_select_deadline: '2020-01-01' }), 'VALIDATION_ERROR');
    await refusal(update(id, { auto_select_deadline: '2026-04-01T00:00:00Z' }), 'VALIDATION_ERROR');
  });

  it('loses no change in concurrent requests', async () => {
    const id = await world.draft();
    const patches = [{ title: 'Changed title' }, { item_count: 7 }, { tags: ['changed'] }, { judging_hours: 5 }];
    await Promise.all(patches.map((patch) => update(id, patch)));
    const after = await read(id);
    assert.deepEqual(
      [after.title, after.item_count, after.metadata.tags, after.judging_hours],
      ['Changed title', 7, ['changed'], 5],
    );
  });

  it('refuses changes while the prize is being paid', async () => {
    const id = await world.draft();
    await insertUndecidedPayment(db, id);
    const error = await refusal(update(id, { prize_amount: 1 }), 'PROJECT_STATE_CONFLICT');
    assert.match(error.message, /draft.*being paid/);
    await db`update payments set state = 'failed' where subject_id = ${id}`;
    assert.equal((await update(id, { prize_amount: 1 })).prize_amount, 1_000_000);
  });
});

describe('updateProject of a published project', () => {
  it('accepts a later deadline', async () => {
    const id = await world.published();
    const after = await update(id, { auto_select_deadline: '2026-03-09T00:00:00Z' });
    assert.equal(after.auto_select_deadline, '2026-03-09T00:00:00.000Z');
  });

  it('accepts no deadline after the latest one of its terms, however often it moves', async () => {
    const id = await world.published();
    const latest = (await read(id)).latest_deadline ?? assert.fail('no latest deadline');
    world.advance(86_400_000);
    const later = { auto_select_deadline: new Date(latest.getTime() + 1).toISOString() };
    await refusal(update(id, later), 'VALIDATION_ERROR');
    const moved = await update(id, { auto_select_deadline: latest.toISOString() });
    assert.deepEqual([moved.auto_select_deadline, moved.latest_deadline], [latest.toISOString(), latest.toISOString()]);
    await refusal(update(id, later), 'VALIDATION_ERROR');
    world.advance(-86_400_000);
  });

  it('refuses an earlier or the same deadline, and any once it has passed', async () => {
    const id = await world.published();
    for (const deadline of ['2026-03-08T12:00:00Z', '2026-03-08T11:59:59Z']) {
      const error = await refusal(update(id, { auto_select_deadline: deadline }), 'VALIDATION_ERROR');
      assert.deepEqual(
        error.details?.map((detail) => detail.field),
        ['auto_select_deadline'],
      );
    }
    world.advance(8 * 86_400_000);
    await refusal(update(id, { auto_select_deadline: '2026-05-01T00:00:00Z' }), 'PROJECT_DEADLINE_PASSED');
    world.advance(-8 * 86_400_000);
  });

  it('forbids every other field, and names each', async () => {
    const id = await world.published();
    const error = await refusal(
      update(id, { title: 'New title', prize_amount: 5, auto_select_deadline: '2026-03-09T00:00:00Z' }),
      'UPDATE_FORBIDDEN',
    );
    assert.deepEqual(
      error.details?.map((detail) => detail.field),
      ['title', 'prize_amount'],
    );
    assert.match(error.message, /title, prize_amount/);
    assert.equal((await read(id)).auto_select_deadline.toISOString(), '2026-03-08T12:00:00.000Z');
  });

  it('refuses every change after the project closed, and names the status', async () => {
    const id = await world.published();
    for (const status of ['judging', 'completed', 'cancelled']) {
      await world.setStatus(id, status);
      const error = await refusal(
        update(id, { auto_select_deadline: '2026-03-09T00:00:00Z' }),
        'PROJECT_STATE_CONFLICT',
      );
      assert.match(error.message, new RegExp(status));
    }
  });

  it('answers for a foreign project exactly as for a missing one', async () => {
    const foreign = await world.draft({}, await world.newPoster());
    const answers = [foreign, randomUUIDv7()].map((id) => update(id, { title: 'Mine now' }));
    await refusedAlike(answers, 'PROJECT_NOT_FOUND');
  });
});
