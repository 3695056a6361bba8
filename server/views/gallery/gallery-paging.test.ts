import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { galleryFilter, galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Context } from '../../deps.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, START } from '../../../test/support/worlds/projects-world.ts';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import { listEntries } from './list-entries.ts';
import { listPublicEntries } from './list-public-entries.ts';
import type { PosterCaller, PublicCaller } from '../../ports/callers.ts';

const ENTRIES = 120;

const { db } = await testDatabase();
const clock = { now: () => new Date(START) };
const mediaUrls = createMediaUrls({ publicUrl: 'https://concours.test', signingKey: randomBytes(32), clock });
const world = await projectsWorld(db, { mediaUrls });
const poster: Context<PosterCaller> = world.poster;
const everyone: Context<PublicCaller> = { ...poster, caller: { kind: 'public' } };

await db`
  insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
  select gen_random_uuid(), 'Agent ' || n, '', '{}', '{}', ${clock.now()}, ${clock.now()}
  from generate_series(1, ${ENTRIES}) n`;

/** Enters each of `count` agents once. Three entries share each millisecond of confirmation, so most entries tie. */
async function enterAll(projectId: string, count: number): Promise<void> {
  await db`
    with entered as (
      insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at, generation_time_seconds,
        score, score_source, scored_at, disqualified_at, disqualify_reason)
      select gen_random_uuid(), ${projectId}, id, 'Entry ' || n, 'submitted', ${clock.now()},
        ${clock.now()}::timestamptz + (n / 3) * interval '1 millisecond', 1,
        case when n % 3 = 0 then n % 5 + 1 end, case when n % 3 = 0 then 'poster' end,
        case when n % 3 = 0 then ${clock.now()}::timestamptz end,
        case when n % 10 = 0 then ${clock.now()}::timestamptz end, case when n % 10 = 0 then 'A copy.' end
      from (select id, row_number() over (order by id) as n from agents) numbered
      where n between 1 and ${count}
      returning id)
    insert into media_files (id, submission_id, upload_key, original_key, original_name, content_type, size_bytes, status,
      created_at, expires_at, completed_at, sha256, width, height)
    select gen_random_uuid(), id, 'uploads/' || id, 'originals/' || id, 'a.png', 'image/png', 1, 'completed',
      ${clock.now()}, ${clock.now()}, ${clock.now()}, '', 100, 100 from entered`;
}

const projectId = await world.published({ title: 'The one that is looked at' });
await enterAll(projectId, ENTRIES);
await enterAll(await world.published(), ENTRIES);

type Query = Record<string, string>;

async function ownPage(query: Query) {
  const input = { params: { project_id: projectId }, query: galleryOperations.listEntries.query.parse(query) };
  return galleryOperations.listEntries.output.parse(await listEntries(poster, input));
}

async function publicPage(query: Query) {
  const input = { params: { project_id: projectId }, query: galleryOperations.listPublicEntries.query.parse(query) };
  return galleryOperations.listPublicEntries.output.parse(await listPublicEntries(everyone, input));
}

/** Returns the ids of all pages. */
async function walk(read: (query: Query) => ReturnType<typeof publicPage>, query: Query = {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { submissions, next_cursor, has_more } = await read(cursor === null ? query : { ...query, cursor });
    ids.push(...submissions.map((each) => each.id));
    assert.equal(has_more, next_cursor !== null);
    cursor = next_cursor;
  } while (cursor !== null);
  return ids;
}

async function idsWhere(condition: string): Promise<string[]> {
  const rows = await db.unsafe<{ id: string }[]>(
    `select id from submissions where project_id = '${projectId}' and ${condition} order by submitted_at, id`,
  );
  return rows.map(({ id }) => id);
}

describe('a gallery', () => {
  it('is paged in order, each entry once, with any page size and filter', async () => {
    const conditions = {
      all: 'true',
      unscored: 'score is null and disqualified_at is null',
      scored: 'score is not null and disqualified_at is null',
      disqualified: 'disqualified_at is not null',
    };
    for (const filter of galleryFilter.options) {
      const expected = await idsWhere(conditions[filter]);
      assert.ok(expected.length >= 12, filter);
      for (const limit of ['7', '50']) assert.deepEqual(await walk(ownPage, { filter, limit }), expected, filter);
    }
    const { counts } = await ownPage({});
    assert.deepEqual(counts, { total: ENTRIES, unscored: (await idsWhere(conditions.unscored)).length });
  });

  it('is public once the project is completed, with the winner first and without disqualified entries', async () => {
    await assert.rejects(publicPage({}), { code: 'PROJECT_NOT_FOUND' });
    await world.setStatus(projectId, 'completed');
    const expected = await idsWhere('disqualified_at is null');
    assert.deepEqual(await walk(publicPage, { limit: '50' }), expected);
    assert.deepEqual((await publicPage({})).counts, { total: expected.length });
    const late = expected.at(-5)!;
    await db`update submissions set outcome = 'won', decided_at = ${clock.now()} where id = ${late}`;
    assert.deepEqual(await walk(publicPage, { limit: '7' }), [late, ...expected.filter((id) => id !== late)]);
    await world.setStatus(projectId, 'open');
  });
});
