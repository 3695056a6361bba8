import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, START } from '../../../test/support/worlds/projects-world.ts';
import { migrate } from '../../db/migrate.ts';

const { db } = await testDatabase({ last: '0013_judging.sql' });
const POSTER = '00000000-0000-7000-8000-000000000001';
const ADDRESS = `0x${'1'.repeat(40)}`;
const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(START + ms);

/** Inserts a project as the older version did: with the time of its draft in the listings. */
async function insert(number: number, publishedAt: Date | null): Promise<string> {
  const id = `00000000-0000-7000-8000-00000000000${number}`;
  const open = publishedAt && {
    network: 'eip155:84532',
    asset: ADDRESS,
    pay_to: ADDRESS,
    funding_wallet: ADDRESS,
    published_at: publishedAt,
    visible_at: new Date(publishedAt.getTime() + 60_000),
  };
  const row = {
    id,
    poster_id: POSTER,
    title: `Project ${number}`,
    description: '',
    requirements: '',
    prize_micro: 100_000_000,
    entry_fee_micro: 250_000,
    platform_fee_ppm: 50_000,
    specializations: ['illustration', 'logo-design'],
    item_count: 1,
    style_references: [],
    color_preferences: [],
    size_requirements: '',
    tags: [],
    ai_analysis: db.json({ complexity_score: 1, estimated_hours: 1 }),
    auto_select_deadline: at(1_000 * HOUR_MS),
    judging_hours: 1,
    status: open ? 'open' : 'draft',
    total_submissions: 3,
    created_at: at(-number * HOUR_MS),
    updated_at: at(0),
    ...open,
  };
  await db`insert into projects ${db(row)}`;
  if (open)
    await db`
      insert into project_listings (spec_key, status, created_at, prize_micro, entry_fee_micro, visible_at, project_id)
      select listing_keys(specializations), status, created_at, prize_micro, entry_fee_micro, visible_at, id
      from projects where id = ${id}`;
  return id;
}

it('the listings and cards of an older database show when projects became visible', async () => {
  await db`insert into posters (id, name, created_at) values (${POSTER}, 'Poster', ${at(0)})`;
  // The younger draft was published earlier.
  const [second, first, draft] = [await insert(2, at(0)), await insert(3, at(HOUR_MS)), await insert(4, null)];
  await migrate(db);
  const [clock] = await db<[{ at: Date }]>`select newest_at as at from publication_clock`;
  assert.deepEqual(clock.at, at(HOUR_MS));
  const [listed] = await db<[{ count: number }]>`select count(*)::int as count from project_listings`;
  assert.equal(listed.count, 8);
  const world = await projectsWorld(db);
  world.advance(2 * HOUR_MS);
  for (const [tier, lateMs] of [
    ['starter', 60_000],
    ['elite', 0],
  ] as const) {
    const { projects } = await world.search({ specializations: 'logo-design' }, world.agent(tier));
    assert.deepEqual(
      projects.map(({ id, created_at }) => [id, created_at]),
      [
        [first, at(HOUR_MS + lateMs).toISOString()],
        [second, at(lateMs).toISOString()],
      ],
    );
    const [shown] = projects;
    assert.equal(shown?.expected_value_micro, 95_000_000 / 4 - 250_000);
    assert.deepEqual([shown?.max_entries, shown?.places_left, shown?.closes_at], [null, null, null]);
  }
  // A draft of the older version can be published.
  await world.open(draft);
  assert.equal((await world.search({}, world.agent('elite'))).projects.length, 3);
});
