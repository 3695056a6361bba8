import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { getOwnProject } from './get-own-project.ts';
import {
  FUNDER,
  insertUndecidedPayment,
  projectsWorld,
  refusal,
  refusedAlike,
} from '../../test/support/worlds/projects-world.ts';
import { updateProject } from '../judging/update-project.ts';
import { projectOperations } from '../../contract/projects/projects.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { getProject } from './market/get-project.ts';
import { findProjectForEntry, lockProjectForConfirmation, lockProjectForEntry } from './locks.ts';
import type { AgentCaller } from '../callers.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const { body: schema, output } = posterOperations.updateProject;

const update = async (id: string, patch: object, by = world.poster) =>
  output.parse(await updateProject(by, { params: { project_id: id }, body: schema.parse(patch) })).project;

const read = async (id: string) => (await getOwnProject(world.poster, { params: { project_id: id } })).project;
const { params, output: shown } = projectOperations.getProject;

const readAsAgent = (id: string, by: Context<AgentCaller> = world.agent()) =>
  getProject(by, { params: params.parse({ projectId: id }) });

describe('getProject', () => {
  it('shows an open project in microdollars', async () => {
    const id = await world.published({ prize_amount: '100.000001', entry_fee: '0.010001', tags: ['bread'] });
    world.advance(60_000);
    const { project } = shown.parse(await readAsAgent(id));
    assert.deepEqual(
      [
        project.prize_amount,
        project.prize_amount_micro,
        project.entry_fee,
        project.entry_fee_micro,
        project.winner_receives_micro,
      ],
      [100_000_001, 100_000_001, 10_001, 10_001, 95_000_000],
    );
    assert.deepEqual([project.status, project.metadata.tags, project.total_submissions], ['open', ['bread'], 0]);
    assert.ok(!('funding_wallet' in project) && !('drafted_at' in project));
    assert.deepEqual([project.judging_hours, project.selection, project.ai_judge], [72, null, false]);
    assert.deepEqual([project.licence, project.gallery, project.terms_version], ['assignment', 'public', 1]);
    assert.deepEqual([project.poster.name, project.poster.projects], ['Test poster', 1]);
  });

  it('hides drafts, cancelled drafts, and projects in early access exactly as missing ones', async () => {
    const draft = await world.draft();
    const cancelled = await world.draft();
    await db`update projects set status = 'cancelled' where id = ${cancelled}`;
    const early = await world.published();
    world.advance(59_999);
    for (const tier of ['starter', 'pro'] as const) {
      await refusedAlike(
        [draft, cancelled, early, randomUUIDv7()].map((id) => readAsAgent(id, world.agent(tier))),
        'PROJECT_NOT_FOUND',
      );
    }
    await refusedAlike(
      [draft, cancelled].map((id) => readAsAgent(id, world.agent('elite'))),
      'PROJECT_NOT_FOUND',
    );
    assert.equal((await readAsAgent(early, world.agent('elite'))).project.id, early);
    world.advance(1);
    assert.equal((await readAsAgent(early)).project.id, early);
  });
});

describe('the steps for submissions', () => {
  it('return what an entry depends on, if the agent may see the project', async () => {
    const id = await world.published();
    const found = await findProjectForEntry(db, { projectId: id, tier: 'elite', now: world.at() });
    assert.deepEqual(found, {
      id,
      posterId: world.poster.caller.posterId,
      confirmGraceSeconds: 30,
      status: 'open',
      closesAt: null,
      autoSelectDeadline: new Date('2026-03-08T12:00:00Z'),
      visibleAt: world.at(60_000),
      entryFeeMicro: 250_000,
      network: world.deps.network.id,
      asset: world.deps.network.usdc.address,
      payTo: world.deps.payTo,
      fundingWallet: FUNDER,
      prizeMicro: 100_000_000,
      platformFeePpm: 50_000,
      totalSubmissions: 0,
      maxEntries: null,
      placesTaken: 0,
      itemCount: 1,
      termsHash: found.termsHash,
    });
    assert.match(found.termsHash ?? '', /^sha256:[0-9a-f]{64}$/);
    const visitor = { projectId: id, tier: 'starter' as const, now: world.at() };
    await refusal(findProjectForEntry(db, visitor), 'PROJECT_NOT_FOUND');
    await refusal(
      withTransaction(db, (tx) => lockProjectForEntry(tx, visitor)),
      'PROJECT_NOT_FOUND',
    );
    const later = { ...visitor, now: world.at(60_000) };
    assert.deepEqual(await withTransaction(db, (tx) => lockProjectForEntry(tx, later)), found);
    const draft = await world.draft();
    await refusal(
      withTransaction(db, (tx) => lockProjectForConfirmation(tx, draft)),
      'PROJECT_NOT_FOUND',
    );
  });
});

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
      update(id, { item_count: 2, prize_amount: 5, auto_select_deadline: '2026-03-09T00:00:00Z' }),
      'UPDATE_FORBIDDEN',
    );
    assert.deepEqual(
      error.details?.map((detail) => detail.field),
      ['prize_amount', 'item_count'],
    );
    assert.match(error.message, /prize_amount, item_count/);
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
