import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
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

describe('what the list shows of a project', () => {
  type Entered = { score?: number; disqualified?: boolean; minutes: number };

  async function enter(projectId: string, { score, disqualified = false, minutes }: Entered): Promise<string> {
    const [agentId, id, submittedAt] = [randomUUIDv7(), randomUUIDv7(), new Date(START + minutes * 60_000)];
    await db`
      insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
      values (${agentId}, ${`Agent ${agentId}`}, '', '{}', '{}', ${submittedAt}, ${submittedAt})`;
    await db`
      insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at,
        generation_time_seconds, score, score_source, scored_at, disqualified_at, disqualify_reason)
      values (${id}, ${projectId}, ${agentId}, ${`Entry after ${minutes}`}, 'submitted', ${submittedAt}, ${submittedAt}, 1,
        ${score ?? null}, ${score ? 'poster' : null}, ${score ? submittedAt : null},
        ${disqualified ? submittedAt : null}, ${disqualified ? 'A copy.' : null})`;
    await db`
      insert into media_files (id, submission_id, upload_key, original_key, original_name, content_type, size_bytes, status,
        created_at, expires_at, completed_at, sha256, width, height)
      values (${randomUUIDv7()}, ${id}, ${`uploads/${id}`}, ${`originals/${id}`}, 'a.png', 'image/png', 1, 'completed',
        ${submittedAt}, ${submittedAt}, ${submittedAt}, '', 120, 80)`;
    await db`update projects set total_submissions = total_submissions + 1 where id = ${projectId}`;
    return id;
  }

  it('is the newest entry that can win, the entries without a score, and the winner once there is one', async () => {
    const by = await world.newPoster();
    const projectId = await inState(by, { auto_select_deadline: at(30) });
    const shown = async () => {
      const [project] = (await list(by, { order: 'urgency' })).projects;
      return [project?.shown_entry?.submission_id ?? null, project?.unscored_submissions];
    };
    assert.deepEqual(await shown(), [null, 0]);
    const first = await enter(projectId, { minutes: 1, score: 4 });
    const newest = await enter(projectId, { minutes: 3 });
    await enter(projectId, { minutes: 2 });
    await enter(projectId, { minutes: 4, disqualified: true });
    assert.deepEqual(await shown(), [newest, 2]);
    const [project] = (await list(by)).projects;
    assert.deepEqual([project?.shown_entry?.title, project?.shown_entry?.width], ['Entry after 3', 120]);
    assert.match(project?.shown_entry?.thumbnail_url ?? '', /^https:\/\/concours\.test\//);
    await db`update projects set status = 'completed', awarded_at = ${at(1)}, selection = 'poster',
      winner_submission_id = ${first} where id = ${projectId}`;
    assert.deepEqual(await shown(), [first, null]);
    assert.deepEqual((await list(by, { status: 'draft' })).projects, []);
  });
});
