import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { posterOperations } from '../../contract/posters.ts';
import { referenceOperations } from '../../contract/projects/references.ts';
import { MAX_FILE_BYTES } from '../../contract/projects/submissions.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import type { Deps } from '../deps.ts';
import { addReference } from './briefs/add-reference.ts';
import { deleteProject, draftProject } from './draft-project.ts';
import { getOwnProject } from './own-view.ts';
import { BRIEF, projectsWorld, refusal } from '../../test/support/worlds/projects-world.ts';
import { cancelProject } from '../judging/cancel-project.ts';
import { updateProject } from '../judging/update-project.ts';
import { numberEvents } from '../events/public.ts';
import { winnerReceivesMicro } from './places.ts';
import { countBrief } from './analyze-brief.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const { body: schema, output } = posterOperations.draftProject;
const brief = (change: object = {}) => schema.parse({ ...BRIEF, ...change });
const draft = (change: object = {}) => draftProject(world.poster, { body: brief(change) });

const { updateProject: change } = posterOperations;
const update = async (id: string, patch: object) =>
  change.output.parse(await updateProject(world.poster, { params: { project_id: id }, body: change.body.parse(patch) }))
    .project;

const read = async (id: string) => (await getOwnProject(world.poster, { params: { project_id: id } })).project;

describe('draftProject', () => {
  it('refuses an entry fee above half of the prize', async () => {
    const half = { prize_amount: 3, entry_fee: 1.5 };
    assert.equal(output.parse(await draft(half)).project.entry_fee, 1_500_000);
    const { details } = await refusal(draft({ ...half, entry_fee: 1.500001 }), 'VALIDATION_ERROR');
    assert.deepEqual(details, [{ field: 'entry_fee', message: 'must be at most half of the prize of 3 USDC' }]);
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
    const { project } = await draftProject(free.poster, { body: brief({ prize_amount: '1.000001' }) });
    assert.deepEqual([project.platform_fee_rate, project.winner_receives_micro], [0, 1_000_001]);
  });

  it('refuses more than 100 drafts of a poster, also at the same time, and counts a canceled one for a day', async () => {
    const poster = await world.newPoster();
    const saveOne = (by = poster) => draftProject(by, { body: brief() });
    const ids: string[] = [];
    while (ids.length < 99) ids.push((await saveOne()).project.id);
    const saved = await Promise.allSettled([saveOne(), saveOne(), saveOne()]);
    assert.equal(saved.filter(({ status }) => status === 'fulfilled').length, 1);
    await cancelProject(poster, { params: { project_id: ids[0]! }, body: {} });
    assert.match((await refusal(saveOne(), 'PROJECT_STATE_CONFLICT')).message, /100 drafts.*Delete some/);
    await deleteProject(poster, { params: { project_id: ids[1]! } });
    await saveOne();
    await refusal(saveOne(), 'PROJECT_STATE_CONFLICT');
    await saveOne({ ...poster, clock: { now: () => world.at(86_400_000) } });
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

describe('countBrief', () => {
  it('counts as documented', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    const plain = { title: 'One two three', description: words(47), specializations: ['a'] };
    const cases: [change: object, complexity_score: number, estimated_hours: number][] = [
      [{}, 1, 2],
      [{ item_count: 5 }, 2, 7.5],
      [{ specializations: ['a', 'b', 'c'] }, 2, 2.5],
      [{ requirements: words(100), size_requirements: '1024x1024' }, 2.5, 3],
    ];
    for (const [more, complexity_score, estimated_hours] of cases)
      assert.deepEqual(countBrief(brief({ ...plain, ...more })), { complexity_score, estimated_hours });
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
});

describe('updateProject of a draft', () => {
  it('changes every field, and analyzes the brief again', async () => {
    const id = await world.draft();
    const before = await read(id);
    assert.deepEqual([before.licence, before.gallery], ['assignment', 'public']);
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
      licence: 'CC0-1.0',
      gallery: 'private',
    };
    const after = await update(id, patch);
    const { title, prize_amount, entry_fee, item_count, color_preferences, metadata, judging_hours } = after;
    assert.deepEqual(
      [title, prize_amount, entry_fee, item_count, color_preferences, metadata.tags, judging_hours],
      ['Another title', 250_500_000, 0, 4, ['red'], ['new'], 1],
    );
    assert.deepEqual(
      after.specializations.map((named) => named.id),
      ['icon-design'],
    );
    assert.deepEqual([after.licence, after.gallery], ['CC0-1.0', 'private']);
    assert.ok(after.ai_analysis.complexity_score > before.ai_analysis.complexity_score);
    assert.equal(after.created_at, before.created_at.toISOString());
    assert.equal(after.updated_at, world.at().toISOString());
    assert.equal(after.platform_fee_rate, 0.05);
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
});

describe('updateProject of a published project', () => {
  it('corrects its event for agents below elite, which waits for the end of early access, until they read it', async () => {
    const id = await world.published({ max_entries: 10 });
    const announced = async (stream: string) => {
      const [event] = await db<{ project: Record<string, unknown> }[]>`
        select data -> 'project' as project from events
        where stream = ${stream} and type = 'PROJECT.OPEN' and data -> 'project' ->> 'id' = ${id}`;
      return event?.project ?? assert.fail('no event');
    };
    const first = await announced('market:others');
    const elite = await announced('market:elite');
    const auto_select_deadline = '2026-03-09T12:00:00.000Z';
    await update(id, { title: 'Another title', max_entries: 20, auto_select_deadline });
    const { terms_hash } = await read(id);
    const corrected = {
      ...first,
      title: 'Another title',
      max_entries: 20,
      places_left: 20,
      auto_select_deadline,
      terms_hash,
    };
    assert.deepEqual(await announced('market:others'), corrected);
    assert.deepEqual(await announced('market:elite'), elite);
    world.advance(60_000);
    await numberEvents(world.deps);
    await update(id, { max_entries: 30 });
    assert.deepEqual(await announced('market:others'), corrected);
    world.advance(-60_000);
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

  it('keeps the same deadline, refuses an earlier one, and any once it has passed', async () => {
    const id = await world.published();
    await update(id, { auto_select_deadline: '2026-03-08T12:00:00Z' });
    assert.equal((await read(id)).terms_version, 1);
    const error = await refusal(update(id, { auto_select_deadline: '2026-03-08T11:59:59Z' }), 'VALIDATION_ERROR');
    assert.deepEqual(
      error.details?.map((detail) => detail.field),
      ['auto_select_deadline'],
    );
    world.advance(8 * 86_400_000);
    await refusal(update(id, { auto_select_deadline: '2026-05-01T00:00:00Z' }), 'PROJECT_DEADLINE_PASSED');
    world.advance(-8 * 86_400_000);
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
});

it('addReference takes 100 MB of a poster without a published project, over all its drafts', async () => {
  const storage = { presignUpload: async () => 'https://storage.test/upload' } as unknown as Deps['storage'];
  const by = { ...(await world.newPoster()), storage };
  const drafts = [await world.draft({}, by), await world.draft({}, by)];
  const add = async (at: number, fileSize: number) => {
    const body = { fileName: 'sea.png', fileType: 'image/png', fileSize };
    const { params, body: request } = referenceOperations.addReference;
    await addReference(by, { params: params.parse({ project_id: drafts[at] }), body: request.parse(body) });
  };
  for (let count = 0; count < 5; count += 1) await add(count % 2, MAX_FILE_BYTES);
  const { message, details } = await refusal(add(0, 1), 'VALIDATION_ERROR');
  assert.match(`${message} ${JSON.stringify(details)}`, /fileSize.*100 MB/);
  // After its first publication, it has more room, unless its prize has gone back.
  await world.open(drafts[1]!);
  await world.setStatus(drafts[1]!, 'cancelled');
  await refusal(add(0, 1), 'VALIDATION_ERROR');
  await world.setStatus(drafts[1]!, 'open');
  await add(0, 1);
});
