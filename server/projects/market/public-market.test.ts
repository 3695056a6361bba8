import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { marketOperations } from '../../../contract/projects/market.ts';
import type { Context } from '../../deps.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, START } from '../../../test/support/worlds/projects-world.ts';
import { wordsQuery } from '../search/words-query.ts';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import { getPublicProject } from './get-public-project.ts';
import { listPublicProjects } from './list-public-projects.ts';
import type { PublicCaller } from '../../callers.ts';
import { posterOperations } from '../../../contract/posters.ts';
import { listOwnProjects } from '../own/list-own-projects.ts';

const { db } = await testDatabase();
const clock = { now: () => new Date(START) };
const mediaUrls = createMediaUrls({ publicUrl: 'https://concours.test', signingKey: randomBytes(32), clock });
const world = await projectsWorld(db, { mediaUrls });
const everyone: Context<PublicCaller> = { ...world.poster, caller: { kind: 'public' } };

const WORDS = { tags: ['tinplate'], description: 'A sign in enamel for a shop of lamps.' };
const catalog = {
  'Logo for a lighthouse': { prize_amount: 10, entry_fee: 1, specializations: ['logo-design'] },
  'Lighthouse, at night': { prize_amount: 30, entry_fee: 0, specializations: ['illustration'] },
  'Ålesund logo': { prize_amount: 20, entry_fee: 0.5, specializations: ['logo-design', 'illustration'] },
  'A light touch': { prize_amount: 50, entry_fee: 2, specializations: ['portrait'], ...WORDS },
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

await world.draft({ title: 'Draft of a lighthouse' });
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

const HOUR_MS = 3_600_000;
const at = (hours: number) => new Date(START + hours * HOUR_MS);

const list = async (by: typeof world.poster, query: Record<string, string> = {}) =>
  posterOperations.listOwnProjects.output.parse(
    await listOwnProjects(by, { query: posterOperations.listOwnProjects.query.parse(query) }),
  );

const idsOf = ({ projects }: Awaited<ReturnType<typeof list>>) => projects.map(({ id }) => id);

/** Opens a project and gives it a state, as the lifecycle would. Returns its id. */
async function inState(by: typeof world.poster, change: object): Promise<string> {
  const id = await world.draft({}, by);
  await world.open(id);
  world.advance(1);
  await db`update projects set ${db.set(change)} where id = ${id}`;
  return id;
}

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

  it('finds briefs by prefixes of their words, all of which must match, in any letter case', async () => {
    assert.deepEqual(await titles({ q: 'lighthouse' }), ['Lighthouse, at night', 'Logo for a lighthouse']);
    assert.deepEqual(await titles({ q: 'LIGHT' }), ['A light touch', 'Lighthouse, at night', 'Logo for a lighthouse']);
    assert.deepEqual(await titles({ q: 'touch light' }), ['A light touch']);
    assert.deepEqual(await titles({ q: 'ÅLE' }), ['Ålesund logo']);
    assert.deepEqual(await titles({ q: 'house' }), []);
    assert.deepEqual(await titles({ q: 'draft' }), []);
    assert.deepEqual(await titles({ q: 'enamel tin' }), ['A light touch']);
  });

  it('looks for few words of a text, in an index without drafts', async () => {
    const indexes = await db`
      select indexname, split_part(indexdef, ' WHERE ', 2) as rows from pg_indexes
      where indexdef like '%project_words(%' order by indexname desc`;
    assert.deepEqual(
      [...indexes],
      [
        { indexname: 'projects_words', rows: '(published_at IS NOT NULL)' },
        { indexname: 'projects_unpublished_words', rows: '(published_at IS NULL)' },
      ],
    );
    assert.equal(wordsQuery('lo lo LO lo'), "'lo':*");
    assert.equal(wordsQuery('a logo of Logos, 3 by 2'), "'logos':* & 'of':* & 'by':*");
    assert.equal(wordsQuery('b a b'), "'b':* & 'a':*");
    assert.equal(wordsQuery('six five seven eleven ten'), "'eleven':* & 'seven':* & 'five':* & 'six':*");
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
    await db`
      update projects set auto_select_deadline = auto_select_deadline - interval '1 hour' where id = ${idOf('Ålesund logo')}`;
    const soon = await titles({ order_by: 'deadline', order_direction: 'asc', status: 'open' });
    assert.equal(soon[0], 'Ålesund logo');
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
  });

  it('continues after a page, only with the same filters, and shows full briefs last', async () => {
    await db`update projects set max_entries = 2, places_taken = 2 where id = ${idOf('A light touch')}`;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const found = await page({ limit: '2', ...(cursor ? { cursor } : {}) });
      seen.push(...found.projects.map(({ title }) => title));
      assert.equal(found.has_more, found.next_cursor !== null);
      cursor = found.next_cursor;
    } while (cursor !== null);
    assert.deepEqual([seen, seen.at(-1)], [await titles(), 'A light touch']);
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
  it('shows the record of its poster', async () => {
    const other = await world.newPoster();
    const others = projectsOf(other.caller.posterId);
    for (const hours of [1, 3, 8]) await others.completed(hours);
    await others.completed(100, 'shared');
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

it('the list of a poster’s projects lists only the own projects, newest first, by pages and by status', async () => {
  const by = await world.newPoster();
  const own: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    // The first three have the same millisecond, so the id decides.
    if (index > 2) world.advance(1);
    own.push(await world.draft({ title: `Project ${index}` }, by));
  }
  await world.open(own[1]!);
  const all = await list(by);
  assert.deepEqual(idsOf(all), own.toReversed());
  assert.deepEqual(all.pagination, { limit: 20, offset: 0, total_returned: 5, has_more: false, next_cursor: null });
  const found = await list(by, { limit: '2', offset: '2' });
  assert.deepEqual(idsOf(found), [own[2], own[1]]);
  const { next_cursor: next, ...pagination } = found.pagination;
  assert.deepEqual(pagination, { limit: 2, offset: 2, total_returned: 2, has_more: true });
  assert.deepEqual(idsOf(await list(by, { limit: '2', cursor: next! })), [own[0]]);
  assert.deepEqual(idsOf(await list(by, { status: 'open' })), [own[1]]);
  assert.deepEqual(idsOf(await list(by, { status: 'judging' })), []);
  assert.deepEqual(idsOf(await list(await world.newPoster())), []);
});

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
    const made = {
      firstEnded: await inState(by, { status: 'completed', ...decided }),
      lateChoice: await inState(by, judging(48)),
      firstDraft: await world.draft({}, by),
      openLate: await inState(by, { auto_select_deadline: at(72) }),
      held: await inState(by, judging(1, { held_at: at(1), held_selection: 'silence', pay_after: at(25) })),
      openSoon: await inState(by, { auto_select_deadline: at(30) }),
      closing: await inState(by, { auto_select_deadline: at(90), closes_at: at(2) }),
      soonChoice: await inState(by, judging(3)),
      paying: await inState(by, judging(2, decided)),
      lastEnded: await inState(by, { status: 'cancelled', cancelled_at: at(1), cancelled_by: 'poster' }),
      lastDraft: await world.draft({}, by),
    };
    const { soonChoice, lateChoice, held, paying, closing, openSoon, openLate } = made;
    const ended = [made.lastDraft, made.firstDraft, made.lastEnded, made.firstEnded];
    const expected = [soonChoice, lateChoice, held, paying, closing, openSoon, openLate, ...ended];
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
    const own: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const found = await list(by, cursor === '' ? query : { ...query, cursor });
      own.push(...idsOf(found));
      assert.equal(found.pagination.has_more, found.pagination.next_cursor !== null);
      cursor = found.pagination.next_cursor;
    }
    return own;
  }
});
