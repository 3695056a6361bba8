import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectOperations } from '../../../contract/projects/projects.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, refusal, START } from '../../../test/support/worlds/projects-world.ts';
import { transition } from '../queries.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const { query: schema } = projectOperations.searchProjects;

/** The projects by name, each with its differences. They are created in this order, a minute apart. */
const catalog = {
  logo: { prize_amount: 10, entry_fee: 1, specializations: ['logo-design'] },
  both: { prize_amount: 30, entry_fee: 0, specializations: ['logo-design', 'illustration'] },
  art: { prize_amount: 20, entry_fee: 0.5, specializations: ['illustration'] },
  five: {
    prize_amount: 50,
    entry_fee: 2,
    specializations: ['pixel-art', 'portrait', 'logo-design', 'illustration', 'comic-art'],
  },
  judged: { prize_amount: 40, entry_fee: 0.25, specializations: ['logo-design'] },
  done: { prize_amount: 5, entry_fee: 0.25, specializations: ['portrait'] },
  ended: { prize_amount: 15, entry_fee: 0.25, specializations: ['portrait', 'comic-art'] },
};
const ids = new Map<string, string>();
for (const [name, change] of Object.entries(catalog)) {
  ids.set(name, await world.published({ title: `Project ${name}`, ...change }));
  world.advance(60_000);
}
await world.draft({ title: 'Project draft' });
const idOf = (name: string) => ids.get(name) ?? assert.fail(name);
const move = (name: string, from: 'open' | 'judging', to: 'judging' | 'completed' | 'cancelled') =>
  db.begin((tx) => transition(tx, { projectId: idOf(name), from, to, actor: 'test', reason: null, at: world.at() }));
await move('judged', 'open', 'judging');
await move('done', 'open', 'judging');
await move('done', 'judging', 'completed');
await move('ended', 'open', 'cancelled');
await db`update projects set total_submissions = 3 where id = ${idOf('both')}`;
await db`update projects set total_submissions = 7 where id = ${idOf('five')}`;

const find = async (query: Record<string, string> = {}, ctx = world.agent()) => {
  const page = await world.search(query, ctx);
  return page.projects.map((project) => project.title.replace('Project ', '')).join(' ');
};
const refused = (query: Record<string, string>) => {
  const parsed = schema.safeParse(query);
  if (parsed.success) return null;
  const coded = parsed.error.issues.find((issue) => issue.code === 'custom' && issue.params?.['code']);
  return coded?.code === 'custom' ? String(coded.params?.['code']) : 'INVALID_PARAMETER';
};

describe('searchProjects', () => {
  it('finds everything but drafts, newest first', async () => {
    assert.equal(await find(), 'ended done judged five art both logo');
    assert.equal(await find({}, world.agent('elite')), 'ended done judged five art both logo');
  });

  it('shows amounts in USDC and in microdollars', async () => {
    const query = { specializations: 'illustration', order_by: 'entry_fee', limit: '2', status: 'open' };
    const page = await world.search(query);
    const [five, art] = page.projects;
    assert.deepEqual(
      [five?.entry_fee, five?.entry_fee_micro, five?.prize_amount, five?.prize_amount_micro],
      [2, 2_000_000, 50, 50_000_000],
    );
    assert.deepEqual([art?.entry_fee, art?.entry_fee_micro], [0.5, 500_000]);
    assert.deepEqual(
      five?.specializations.map((named) => named.name),
      ['Pixel Art', 'Portrait', 'Logo Design', 'Illustration', 'Comic Art'],
    );
    assert.deepEqual(
      { ...page.pagination, next_cursor: typeof page.pagination.next_cursor, horizon: typeof page.pagination.horizon },
      {
        limit: 2,
        offset: 0,
        total_returned: 2,
        has_more: true,
        next_cursor: 'string',
        horizon: 'string',
      },
    );
  });

  it('filters by specialization: any, all, both spellings, unknown ones', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ specializations: 'logo-design' }, 'judged five both logo'],
      [{ specializations: ' LOGO_design , logo-design ' }, 'judged five both logo'],
      [{ specializations: 'illustration,portrait' }, 'ended done five art both'],
      [{ specializations: 'illustration,logo-design', specializations_match: 'ALL' }, 'five both'],
      [{ specializations: 'logo-design,no-such-thing' }, 'judged five both logo'],
      [{ specializations: 'logo-design,no-such-thing', specializations_match: 'ALL' }, ''],
      [{ specializations: 'no-such-thing' }, ''],
      [{ specializations: "x' or true --" }, ''],
    ];
    for (const [query, expected] of cases) assert.equal(await find(query), expected, JSON.stringify(query));
  });

  it('filters by status, and never by draft', async () => {
    assert.equal(await find({ status: 'open' }), 'five art both logo');
    assert.equal(await find({ status: 'judging,completed' }), 'done judged');
    assert.equal(await find({ status: 'cancelled' }), 'ended');
    assert.equal(await find({ status: 'draft' }), '');
    assert.equal(await find({ status: 'draft,judging' }), 'judged');
    assert.equal(await find({ status: 'open,judging,completed,cancelled' }), await find());
  });

  it('filters by amounts, times, and entries, with inclusive bounds except for the time', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ min_prize_amount: '30' }, 'judged five both'],
      [{ min_prize_amount: '30.000001' }, 'judged five'],
      [{ min_entry_fee: '0.5' }, 'five art logo'],
      [{ max_entry_fee: '0.5' }, 'ended done judged art both'],
      [{ min_entry_fee: '0.25', max_entry_fee: '0.25' }, 'ended done judged'],
      [{ max_entry_fee: '0' }, 'both'],
      // `both` was published after 60 s and visible after 120 s; the filter reaches 2 s back.
      [{ created_after: new Date(START + 122_000).toISOString() }, 'ended done judged five art'],
      [{ created_after: new Date(START + 121_999).toISOString() }, 'ended done judged five art both'],
      [{ max_total_submissions: '0' }, 'ended done judged art logo'],
      [{ max_total_submissions: '3' }, 'ended done judged art both logo'],
      [{ project_type_id: 'image' }, 'ended done judged five art both logo'],
    ];
    for (const [query, expected] of cases) assert.equal(await find(query), expected, JSON.stringify(query));
  });

  it('orders by each column in both directions, with ties broken by the id', async () => {
    assert.equal(await find({ order_direction: 'asc' }), 'logo both art five judged done ended');
    assert.equal(await find({ order_by: 'created_at' }), 'ended done judged five art both logo');
    assert.equal(await find({ order_by: 'prize_amount' }), 'five judged both art ended logo done');
    assert.equal(
      await find({ order_by: 'prize_amount', order_direction: 'asc' }),
      'done logo ended art both judged five',
    );
    assert.equal(await find({ order_by: 'entry_fee' }), 'five logo art ended done judged both');
    assert.equal(await find({ order_by: 'entry_fee', order_direction: 'asc' }), 'both judged done ended art logo five');
  });

  it('refuses unknown values', () => {
    const cases: [Record<string, string>, string][] = [
      [{ limit: '51' }, 'INVALID_PARAMETER'],
      [{ offset: '10001' }, 'INVALID_PARAMETER'],
      [{ status: 'opened' }, 'INVALID_PARAMETER'],
      [{ order_by: 'title' }, 'INVALID_PARAMETER'],
      [{ order_by: 'created_at; drop table projects' }, 'INVALID_PARAMETER'],
      [{ specializations_match: 'any' }, 'INVALID_PARAMETER'],
      [{ project_type_id: 'video' }, 'INVALID_PARAMETER'],
      [{ min_prize_amount: '-1' }, 'INVALID_PARAMETER'],
      [{ max_entry_fee: '0.0000001' }, 'INVALID_PARAMETER'],
      [{ max_total_submissions: '-1' }, 'INVALID_PARAMETER'],
      [{ created_after: 'yesterday' }, 'INVALID_DATE'],
      [{ created_after: '2026-02-30' }, 'INVALID_DATE'],
      [{ created_after: '0000-01-01' }, 'INVALID_DATE'],
      [{ created_after: '9999-12-31T23:59:59-23:00' }, 'INVALID_DATE'],
      [{ min_entry_fee: '2', max_entry_fee: '1' }, 'INVALID_RANGE'],
    ];
    for (const [query, code] of cases) assert.equal(refused(query), code, JSON.stringify(query));
    assert.equal(refused({ min_entry_fee: '1', max_entry_fee: '1.000000' }), null);
  });

  it('refuses malformed cursors and cursors of another search', async () => {
    const { next_cursor: cursor } = (await world.search({ limit: '2', status: 'open' })).pagination;
    assert.ok(cursor);
    assert.equal(await find({ limit: '2', status: 'open', cursor }), 'both logo');
    // The same search with another spelling, another page size, and an offset that the cursor replaces.
    assert.equal(await find({ limit: '1', status: 'open,open', order_by: 'created_at', cursor, offset: '5' }), 'both');
    const others = [
      {},
      { status: 'judging' },
      { status: 'open', order_direction: 'asc' },
      { status: 'open', max_entry_fee: '5' },
    ];
    for (const other of others) await refusal(world.search({ ...other, cursor }), 'INVALID_PARAMETER');
    const forged = Buffer.from(cursor, 'base64url');
    forged.fill(255, 8);
    for (const text of [
      '',
      'x',
      `${cursor}A`,
      cursor.slice(1),
      `${cursor.slice(0, -1)}!`,
      forged.toString('base64url'),
    ]) {
      const error = await refusal(world.search({ status: 'open', cursor: text }), 'INVALID_PARAMETER');
      assert.deepEqual(
        error.details?.map((detail) => detail.field),
        ['cursor'],
        text,
      );
    }
  });
});

describe('early access', () => {
  it('shows a new project to elite agents first', async () => {
    const id = await world.published({ title: 'Project early', specializations: ['3d-render'] });
    const query = { specializations: '3d-render' };
    assert.equal(await find(query, world.agent('elite')), 'early');
    assert.equal(await find(query, world.agent('pro')), '');
    world.advance(59_999);
    assert.equal(await find(query), '');
    world.advance(1);
    assert.equal(await find(query), 'early');
    await db.begin((tx) =>
      transition(tx, { projectId: id, from: 'open', to: 'cancelled', actor: 'test', reason: null, at: world.at() }),
    );
    assert.equal(await find({ ...query, status: 'cancelled' }), 'early');
  });
});
