import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { projectsWorld, refusal, START } from '../../../test/support/worlds/projects-world.ts';
import { transition } from '../queries.ts';
import { createPool } from '../../db/pool.ts';
import { advancePublicationClock, takePublicationTime } from '../publication/publication-clock.ts';
import { searchHorizon, searchStart } from '../publication/search-times.ts';

const { db, url } = await testDatabase();
const world = await projectsWorld(db);

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

let now = Date.parse('2026-03-01T12:00:00.000Z');
const clock = { now: () => new Date(now) };
const startMs = now;

const publish = () =>
  db.begin(async (tx) => {
    const at = await takePublicationTime(tx, { clock });
    return at.getTime();
  });

/** Reads as a process does that has just started. */
async function freshly<T>(read: (pool: ReturnType<typeof createPool>) => Promise<T>): Promise<T> {
  const pool = createPool({ url, connections: 1 });
  const found = await read(pool);
  await pool.end();
  return found;
}

const horizon = () => freshly(async (pool) => (await searchHorizon(pool, clock.now())).getTime());

/** The times after which a search begins for agents that polled at these times. */
const starts = (...polledAt: number[]) =>
  freshly((pool) =>
    Promise.all(polledAt.map(async (at) => (await searchStart(pool, clock.now(), new Date(at))).getTime())),
  );

describe('searchProjects', () => {
  it('finds everything but drafts, newest first', async () => {
    assert.equal(await find(), 'ended done judged five art both logo');
    assert.equal(await find({}, world.agent('elite')), 'ended done judged five art both logo');
    assert.equal((await world.search({ limit: '7' })).pagination.has_more, false);
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

  it('looks only for specializations of the catalog', async () => {
    const asked: unknown[] = [];
    const unsafe = (text: string, values: never[]) => {
      asked.push(values[0]);
      return db.unsafe(text, values);
    };
    const reads = new Proxy(db, {
      get: (target, name: keyof typeof db) => (name === 'unsafe' ? unsafe : target[name]),
    });
    const unknown = Array.from({ length: 49 }, (_, index) => `logo-design${index}`).join(',');
    const all = { specializations: `${unknown},logo-design`, specializations_match: 'ALL' };
    const page = await world.search({ specializations: unknown }, world.agent('starter', { reads }));
    assert.deepEqual([page.projects, page.pagination.has_more], [[], false]);
    assert.equal(await find(all, world.agent('starter', { reads })), '');
    assert.equal(
      await find({ ...all, specializations_match: 'ANY' }, world.agent('pro', { reads })),
      await find({ specializations: 'logo-design' }),
    );
    assert.deepEqual(asked, [['logo-design']]);
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

  it('refuses forged cursors and cursors of another search', async () => {
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
    await refusal(world.search({ status: 'open', cursor: forged.toString('base64url') }), 'INVALID_PARAMETER');
  });
});

it('early access shows a new project to elite agents first', async () => {
  const id = await world.published({ title: 'Project early', specializations: ['3d-render'] });
  const query = { specializations: '3d-render' };
  assert.equal(await find(query, world.agent('elite')), 'early');
  assert.equal(await find(query, world.agent('pro')), '');
  world.advance(59_999);
  assert.equal(await find(query), '');
  world.advance(1);
  assert.equal(await find(query), 'early');
  await world.setStatus(id, 'cancelled');
  assert.equal(await find({ ...query, status: 'cancelled' }), 'early');
});

describe('the publication clock', () => {
  it('never goes back while clocks differ by at most 5 s', async () => {
    assert.equal(await publish(), startMs);
    now = startMs - 5_000;
    assert.equal(await publish(), startMs);
    now = startMs + 1;
    assert.equal(await publish(), startMs + 1);
  });

  it('moves on without publications, and stands while one is in progress', async () => {
    now += 60_000;
    await advancePublicationClock({ db, clock });
    assert.equal(await horizon(), now);
    const before = now;
    const taken = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const publication = db.begin(async (tx) => {
      await takePublicationTime(tx, { clock });
      taken.resolve();
      await end.promise;
    });
    await taken.promise;
    now += 3_000;
    await advancePublicationClock({ db, clock });
    assert.equal(await horizon(), before);
    end.resolve();
    await publication;
    await advancePublicationClock({ db, clock });
    assert.equal(await horizon(), now);
  });
});

describe('the start of a search by the time of an own last poll', () => {
  // An hour later, so that the tests above matter no more.
  const begin = startMs + 7_200_000;

  it('lies before a late publication, from its commit on, whoever confirms it and when', async () => {
    now = begin + 600_000;
    await advancePublicationClock({ db, clock });
    const stamp = now;
    await publish();
    // The commit took 30 s. The process was killed then, and nothing has confirmed the publication.
    now += 30_000;
    const early = stamp - 60_000;
    assert.deepEqual(await starts(early, stamp + 29_000), [early - 2_000, stamp - 1]);
    await advancePublicationClock({ db, clock });
    now += 3_600_000;
    await advancePublicationClock({ db, clock });
    assert.deepEqual(await starts(early, stamp + 1_000, stamp + 31_999), [early - 2_000, stamp - 1_000, stamp - 1]);
    assert.deepEqual(await starts(stamp + 32_000), [stamp + 30_000]);
  });
});
