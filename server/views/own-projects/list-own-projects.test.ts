import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../../contract/posters.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, START } from '../../../test/support/worlds/projects-world.ts';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import { listOwnProjects } from './list-own-projects.ts';

const HOUR_MS = 3_600_000;

const { db } = await testDatabase();
const clock = { now: () => new Date(START) };
const mediaUrls = createMediaUrls({ publicUrl: 'https://concours.test', signingKey: randomBytes(32), clock });
const world = await projectsWorld(db, { mediaUrls });
const at = (hours: number) => new Date(START + hours * HOUR_MS);

const list = async (by: typeof world.poster, query: Record<string, string> = {}) =>
  posterOperations.listOwnProjects.output.parse(
    await listOwnProjects(by, { query: posterOperations.listOwnProjects.query.parse(query) }),
  );
const idsOf = ({ projects }: Awaited<ReturnType<typeof list>>) => projects.map(({ id }) => id);

describe('the list of a poster’s projects', () => {
  it('lists only the own projects, newest first, by pages and by status', async () => {
    const by = await world.newPoster();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      // The first three have the same millisecond, so the id decides.
      if (index > 2) world.advance(1);
      ids.push(await world.draft({ title: `Project ${index}` }, by));
    }
    await world.open(ids[1]!);
    const all = await list(by);
    assert.deepEqual(
      all.projects.map((project) => project.id),
      ids.toReversed(),
    );
    assert.deepEqual(all.pagination, {
      limit: 20,
      offset: 0,
      total_returned: 5,
      has_more: false,
      next_cursor: null,
    });
    const page = await list(by, { limit: '2', offset: '2' });
    assert.deepEqual(
      page.projects.map((project) => project.id),
      [ids[2], ids[1]],
    );
    const { next_cursor: next, ...pagination } = page.pagination;
    assert.deepEqual(pagination, { limit: 2, offset: 2, total_returned: 2, has_more: true });
    assert.deepEqual(idsOf(await list(by, { limit: '2', cursor: next! })), [ids[0]]);
    assert.deepEqual(
      (await list(by, { status: 'open' })).projects.map((project) => project.id),
      [ids[1]],
    );
    assert.deepEqual((await list(by, { status: 'judging' })).projects, []);
    assert.deepEqual((await list(await world.newPoster())).projects, []);
  });
});

/** Opens a project and gives it a state, as the lifecycle would. Returns its id. */
async function inState(by: typeof world.poster, change: object): Promise<string> {
  const id = await world.draft({}, by);
  await world.open(id);
  world.advance(1);
  await db`update projects set ${db(change as Record<string, string>)} where id = ${id}`;
  return id;
}

describe('the order of urgency', () => {
  const judging = (hours: number, more: object = {}) => ({
    status: 'judging',
    closed_at: at(0),
    judging_ends_at: at(hours),
    ...more,
  });

  it('has what waits for a choice first, then decided, open, drafts, and ended projects', async () => {
    const by = await world.newPoster();
    const decided = { awarded_at: at(1), selection: 'poster' };
    const expected: string[] = [];
    const made = {
      firstEnded: await inState(by, { status: 'completed', ...decided }),
      lateChoice: await inState(by, judging(48)),
      firstDraft: await world.draft({}, by),
      openLate: await inState(by, { auto_select_deadline: at(72) }),
      held: await inState(
        by,
        judging(1, { held_at: at(1), held_selection: 'silence', hold_ends_at: at(25), held_until: at(25) }),
      ),
      openSoon: await inState(by, { auto_select_deadline: at(30) }),
      closing: await inState(by, { auto_select_deadline: at(90), closes_at: at(2) }),
      soonChoice: await inState(by, judging(3)),
      paying: await inState(by, judging(2, decided)),
      lastEnded: await inState(by, { status: 'cancelled', cancelled_at: at(1), cancelled_by: 'poster' }),
      lastDraft: await world.draft({}, by),
    };
    const { soonChoice, lateChoice, held, paying, closing, openSoon, openLate } = made;
    expected.push(soonChoice, lateChoice, held, paying, closing, openSoon, openLate);
    expected.push(made.lastDraft, made.firstDraft, made.lastEnded, made.firstEnded);
    assert.deepEqual(idsOf(await list(by, { order: 'urgency' })), expected);
    for (const limit of ['1', '3', '7']) assert.deepEqual(await walk(by, { order: 'urgency', limit }), expected);
    const byStatus = async (status: string) => idsOf(await list(by, { order: 'urgency', status }));
    assert.deepEqual(await byStatus('judging'), [soonChoice, lateChoice, held, paying]);
    assert.deepEqual(await byStatus('open'), [closing, openSoon, openLate]);
    assert.deepEqual(await byStatus('draft'), [made.lastDraft, made.firstDraft]);
    assert.deepEqual(await byStatus('completed'), [made.firstEnded]);
    assert.deepEqual(await byStatus('cancelled'), [made.lastEnded]);
  });

  /** Returns the ids of all pages. */
  async function walk(by: typeof world.poster, query: Record<string, string>): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(by, cursor === '' ? query : { ...query, cursor });
      ids.push(...idsOf(page));
      assert.equal(page.pagination.has_more, page.pagination.next_cursor !== null);
      cursor = page.pagination.next_cursor;
    }
    return ids;
  }
});
