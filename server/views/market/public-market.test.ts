import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { marketOperations } from '../../../contract/projects/market.ts';
import type { Context } from '../../deps.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, START } from '../../../test/support/worlds/projects-world.ts';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import { getPublicProject } from './get-public-project.ts';
import { listPublicProjects } from './list-public-projects.ts';
import type { PublicCaller } from '../../ports/callers.ts';

const { db } = await testDatabase();
const clock = { now: () => new Date(START) };
const mediaUrls = createMediaUrls({ publicUrl: 'https://concours.test', signingKey: randomBytes(32), clock });
const world = await projectsWorld(db, { mediaUrls, ai: null });
const everyone: Context<PublicCaller> = { ...world.poster, caller: { kind: 'public' } };

const catalog = {
  'Logo for a lighthouse': { prize_amount: 10, entry_fee: 1, specializations: ['logo-design'] },
  'Lighthouse, at night': { prize_amount: 30, entry_fee: 0, specializations: ['illustration'] },
  'Ålesund logo': { prize_amount: 20, entry_fee: 0.5, specializations: ['logo-design', 'illustration'] },
  'A light touch': { prize_amount: 50, entry_fee: 2, specializations: ['portrait'] },
  Judged: { prize_amount: 40, entry_fee: 0.25, specializations: ['logo-design'] },
  Completed: { prize_amount: 5, entry_fee: 0.25, specializations: ['portrait'] },
};
const ids = new Map<string, string>();
for (const [title, change] of Object.entries(catalog)) {
  ids.set(title, await world.published({ title, ...change }));
  world.advance(60_000);
}
// Early access is over for the last project as well.
world.advance(60_000);
const draftId = await world.draft({ title: 'Draft of a lighthouse' });
const idOf = (title: string) => ids.get(title) ?? assert.fail(title);
await world.setStatus(idOf('Judged'), 'judging');
await db`update projects set closed_at = ${new Date(START)} where id = ${idOf('Completed')}`;
await world.setStatus(idOf('Completed'), 'completed');

async function page(query: Record<string, string> = {}) {
  const parsed = marketOperations.listPublicProjects.query.parse(query);
  const answer = await listPublicProjects(everyone, { query: parsed });
  return marketOperations.listPublicProjects.output.parse(answer);
}
const titles = async (query: Record<string, string> = {}) => (await page(query)).projects.map(({ title }) => title);
const detail = async (projectId: string) =>
  marketOperations.getPublicProject.output.parse(
    await getPublicProject(everyone, { params: { project_id: projectId } }),
  ).project;

describe('the public market', () => {
  it('shows projects that are open or judged, newest first, without drafts', async () => {
    assert.deepEqual(await titles(), [
      'Judged',
      'A light touch',
      'Ålesund logo',
      'Lighthouse, at night',
      'Logo for a lighthouse',
    ]);
    assert.deepEqual(await titles({ status: 'completed' }), ['Completed']);
    assert.deepEqual(await titles({ status: 'cancelled' }), []);
  });

  it('finds titles by prefixes of their words, all of which must match, in any letter case', async () => {
    assert.deepEqual(await titles({ q: 'lighthouse' }), ['Lighthouse, at night', 'Logo for a lighthouse']);
    assert.deepEqual(await titles({ q: 'LIGHT' }), ['A light touch', 'Lighthouse, at night', 'Logo for a lighthouse']);
    assert.deepEqual(await titles({ q: 'night light' }), ['Lighthouse, at night']);
    assert.deepEqual(await titles({ q: 'ÅLE' }), ['Ålesund logo']);
    assert.deepEqual(await titles({ q: 'house' }), []);
    assert.deepEqual(await titles({ q: 'draft' }), []);
  });

  it('treats operators of search queries as text', async () => {
    for (const q of ["'; drop table projects; --", '| & ! :* ( )', '<->', "light' | 'logo", '🗼🗼', '\\\\', '%_'])
      assert.ok(Array.isArray(await titles({ q })), q);
    assert.deepEqual(await titles({ q: '!! ??' }), []);
    assert.deepEqual(await titles({ q: 'light | logo' }), ['Logo for a lighthouse']);
  });

  it('filters by prize, fee, and specialization, and sorts', async () => {
    assert.deepEqual(await titles({ min_prize_amount: '20', max_prize_amount: '40', order_by: 'prize_amount' }), [
      'Judged',
      'Lighthouse, at night',
      'Ålesund logo',
    ]);
    assert.deepEqual(await titles({ max_entry_fee: '0.25', order_by: 'entry_fee', order_direction: 'asc' }), [
      'Lighthouse, at night',
      'Judged',
    ]);
    assert.deepEqual(await titles({ specializations: 'portrait,logo-design', status: 'open' }), [
      'A light touch',
      'Ålesund logo',
      'Logo for a lighthouse',
    ]);
    assert.deepEqual(await titles({ specializations: 'nothing-known' }), []);
    const refused = marketOperations.listPublicProjects.query.safeParse({
      min_prize_amount: '3',
      max_prize_amount: '2',
    });
    assert.equal(refused.success, false);
  });

  it('continues after a page, only with the same filters', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const found = await page({ limit: '2', ...(cursor ? { cursor } : {}) });
      seen.push(...found.projects.map(({ title }) => title));
      assert.equal(found.has_more, found.next_cursor !== null);
      cursor = found.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, await titles());
    const { next_cursor } = await page({ limit: '2' });
    await assert.rejects(page({ limit: '2', cursor: next_cursor ?? '', q: 'logo' }), { code: 'INVALID_PARAMETER' });
    await assert.rejects(page({ cursor: 'nonsense' }), { code: 'INVALID_PARAMETER' });
  });

  it('hides a project while only elite agents see it', async () => {
    const early = await world.published({ title: 'Zebra' });
    assert.deepEqual(await titles({ q: 'zebra' }), []);
    await assert.rejects(detail(early), { code: 'PROJECT_NOT_FOUND' });
    world.advance(60_000);
    assert.deepEqual(await titles({ q: 'zebra' }), ['Zebra']);
    assert.equal((await detail(early)).title, 'Zebra');
    await world.setStatus(early, 'cancelled');
  });
});

describe('a public project', () => {
  it('is not found while it is a draft, like an unknown one', async () => {
    for (const id of [draftId, '01a1fd68-1a1d-7b89-b14d-8a21a36746c2'])
      await assert.rejects(detail(id), { code: 'PROJECT_NOT_FOUND', message: 'Project not found.' });
  });

  it('shows the record of its poster', async () => {
    const other = await world.newPoster();
    const others = projectsOf(other.caller.posterId);
    for (const hours of [1, 3, 8]) await others.completed(hours);
    await others.completed(100, 'split');
    await others.cancelled();
    const { poster } = await detail(await others.open());
    assert.deepEqual(
      { projects: poster.projects, completed: poster.completed, cancelled: poster.cancelled },
      { projects: 6, completed: 4, cancelled: 1 },
    );
    assert.equal(poster.median_choice_seconds, 3 * 3600);
    assert.equal(poster.paid_out_micro, 0);
    assert.equal((await detail(idOf('Judged'))).poster.median_choice_seconds, null);
    const beginner = await world.newPoster();
    const two = projectsOf(beginner.caller.posterId);
    for (const hours of [1, 3]) await two.completed(hours);
    assert.equal((await detail(await two.open())).poster.median_choice_seconds, null);
  });

  /** Creates projects of another poster, in the state after judging. */
  function projectsOf(posterId: string) {
    const own = async () => {
      const id = await world.published();
      await db`update projects set poster_id = ${posterId} where id = ${id}`;
      world.advance(61_000);
      return id;
    };
    return {
      open: own,
      async completed(hours: number, selection = 'poster') {
        const id = await own();
        const closedAt = new Date(START);
        const awardedAt = new Date(START + hours * 3_600_000);
        await db`
          update projects set closed_at = ${closedAt}, awarded_at = ${awardedAt}, selection = ${selection} where id = ${id}`;
        await world.setStatus(id, 'completed');
      },
      cancelled: async () => world.setStatus(await own(), 'cancelled'),
    };
  }
});
