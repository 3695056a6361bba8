import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { projectsWorld } from '../../test/support/worlds/projects-world.ts';
import { updateProject } from '../judging/update-project.ts';
import { getProject } from '../views/market/get-project.ts';
import { migrate } from './migrate.ts';

// A database as the version before the terms left it: an open project and a draft.

const AT = new Date('2026-03-01T11:00:00.000Z');
const WALLET = `0x${'f'.repeat(40)}`;
const { db } = await testDatabase({ last: '0021_truth.sql' });
const posterId = randomUUIDv7();

async function project(status: 'open' | 'draft'): Promise<string> {
  const id = randomUUIDv7();
  const published = { published_at: AT, visible_at: AT, network: 'eip155:84532', asset: WALLET, pay_to: WALLET };
  await db`insert into projects ${db({
    id,
    poster_id: posterId,
    title: 'A logo',
    description: 'A logo for a bakery that bakes at night',
    requirements: '',
    prize_micro: 5_000_000,
    entry_fee_micro: 250_000,
    platform_fee_ppm: 50_000,
    specializations: ['logo-design'],
    item_count: 1,
    style_references: [],
    color_preferences: [],
    size_requirements: '',
    tags: [],
    ai_analysis: db.json({ complexity_score: 1, estimated_hours: 1 }),
    auto_select_deadline: new Date('2026-03-08T12:00:00Z'),
    judging_hours: 72,
    status,
    created_at: AT,
    updated_at: AT,
    ...(status === 'open'
      ? {
          ...published,
          funding_wallet: WALLET,
          due_at: new Date('2026-03-08T12:00:00Z'),
          latest_deadline: new Date('2026-03-20'),
        }
      : {}),
  })}`;
  return id;
}

it('gives no terms and no license to projects that are open, and the default license to drafts', async () => {
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${AT})`;
  const [open, draft] = [await project('open'), await project('draft')];
  await migrate(db);
  const world = await projectsWorld(db);
  const own = { ...world.poster, caller: { ...world.poster.caller, posterId } };
  const read = async (projectId: string) => (await getProject(world.agent(), { params: { projectId } })).project;

  const before = await read(open);
  const agreed = ({ licence, gallery, terms, terms_hash, terms_version }: typeof before) => ({
    licence,
    gallery,
    terms,
    terms_hash,
    terms_version,
  });
  const none = { licence: null, gallery: 'public', terms: null, terms_hash: null, terms_version: null };
  assert.deepEqual(agreed(before), none);
  const [row] = await db<{ card: string }[]>`select card from projects where id = ${open}`;
  assert.equal((JSON.parse(row?.card ?? '') as { licence: unknown }).licence, null);
  const body = { auto_select_deadline: new Date('2026-03-09T12:00:00Z') };
  await updateProject(own, { params: { project_id: open }, body });
  assert.deepEqual(agreed(await read(open)), none);

  const booking = await world.open(draft);
  assert.match('creditTo' in booking ? (booking.termsHash ?? '') : '', /^sha256:/);
  world.advance(60_000);
  const opened = agreed(await read(draft));
  assert.deepEqual([opened.licence, opened.terms?.licence.id, opened.terms_version], ['assignment', 'assignment', 1]);
});
