import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { migrate } from '../server/db/migrate.ts';
import { createPool } from '../server/db/pool.ts';
import { startPostgres } from '../server/devnet/postgres.ts';
import {
  type Search,
  type SearchOrder,
  searchProjectRows,
  type SearchPosition,
} from '../server/projects/search/search-queries.ts';
import { seedMarketplace } from './seed.ts';
import type { Db } from '../server/db/database.ts';

const ROUNDS = 40;

type Side = { db: Db; middle: Record<SearchOrder, SearchPosition> };
type Shape = { name: string; orders?: SearchOrder[]; of: (side: Side, order: SearchOrder) => Partial<Search> };

const ORDERS: SearchOrder[] = ['published_at', 'visible_at', 'auto_select_deadline', 'prize_micro', 'entry_fee_micro'];

/** One search in one order and direction: the medians of a page of 20 at both sizes, and its number of rows. */
export type SizeCase = {
  order: SearchOrder;
  direction: 'asc' | 'desc';
  smallMs: number;
  largeMs: number;
  rows: number;
};
export type SizeComparison = { name: string; cases: SizeCase[] };

/** Compares the cost of searches at two sizes of the marketplace. */
export async function compareSizes(sizes: { small: number; large: number }): Promise<SizeComparison[]> {
  const server = await ownServer();
  try {
    const small = await seededSide(server.url, 'search_small', sizes.small);
    const large = await seededSide(server.url, 'search_large', sizes.large);
    const comparisons: SizeComparison[] = [];
    for (const shape of await shapesOf(small)) comparisons.push(await compare(small, large, shape));
    await Promise.all([small.db.end(), large.db.end()]);
    return comparisons;
  } finally {
    await server.stop();
  }
}

async function ownServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'concours-search-plans-'));
  const server = await startPostgres({
    dataDir,
    password: randomBytes(12).toString('hex'),
    log: pino({ level: 'warn' }),
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function seededSide(serverUrl: string, name: string, projects: number): Promise<Side> {
  const admin = createPool({ url: serverUrl, connections: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = createPool({ url: url.toString(), connections: 2 });
  const startedAt = performance.now();
  await migrate(db);
  const address = `0x${'1'.repeat(40)}`;
  const payment = { network: 'eip155:84532', asset: address, payTo: address };
  await seedMarketplace(url.href, { projects, agents: 1, ...payment, termsTexts: false });
  console.log(`seeded ${projects} projects in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const [size] = await db<{ mb: number }[]>`select pg_total_relation_size('projects') / 1048576 as mb`;
  console.log(`${name}: ${projects} projects, ${size?.mb} MB with indexes`);
  const middle = Object.fromEntries(
    await Promise.all(ORDERS.map(async (order) => [order, await middleOf(db, order)] as const)),
  ) as Side['middle'];
  return { db, middle };
}

async function middleOf(db: Db, order: SearchOrder): Promise<SearchPosition> {
  const [row] = await db.unsafe<SearchPosition[]>(
    `select ${order} as value, id from projects where published_at is not null
     order by ${order}, id offset (select count(*) / 2 from projects) limit 1`,
  );
  if (!row) throw new Error('nothing was seeded');
  return row;
}

/** Chooses specializations with at least one full page on the small side, so that both sides return as many rows. */
async function specializationsOf(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from (select unnest(specializations) as id from projects) named
    group by id having count(*) >= 30 order by count(*) desc`;
  return rows.map(({ id }) => id);
}

async function shapesOf(small: Side): Promise<Shape[]> {
  const ids = await specializationsOf(small.db);
  const [first = '', second = '', third = ''] = ids;
  const [rare = '', rarer = ''] = ids.slice(-2);
  const any = (...named: string[]) => ({ specializations: [{ ids: named, match: 'ANY' as const }] });
  const all = (...named: string[]) => ({ specializations: [{ ids: named, match: 'ALL' as const }] });
  const fixed = (name: string, change: Partial<Search>): Shape => ({ name, of: () => change });
  return [
    fixed('no filter', {}),
    fixed('status open', { statuses: ['open'] }),
    fixed('status cancelled', { statuses: ['cancelled'] }),
    fixed('status open,judging', { statuses: ['open', 'judging'] }),
    fixed(`ANY common (${first})`, any(first)),
    fixed(`ANY rare (${rarer})`, any(rarer)),
    fixed('ANY common,rare', any(first, rarer)),
    fixed('ANY common,rare open', { ...any(first, rarer), statuses: ['open'] }),
    fixed(`ALL common (${first},${second})`, all(first, second)),
    fixed(`ALL rare (${rare},${rarer})`, all(rare, rarer)),
    fixed('ALL of three', all(first, second, third)),
    { name: 'cursor in the middle', of: (side, order) => ({ after: side.middle[order] }) },
    {
      name: 'ANY common,rare, cursor in the middle',
      of: (side, order) => ({ ...any(first, rarer), after: side.middle[order] }),
    },
    fixed('offset 1000', { offset: 1000 }),
    fixed('min_prize 1500 (a quarter)', { minPrizeMicro: 1_500_000_000 }),
    fixed('min_prize 1995 (0.3 %)', { minPrizeMicro: 1_995_000_000 }),
    fixed('max_entry_fee 0.2 (2 %)', { maxFeeMicro: 200_000 }),
    fixed('max_total_submissions 0 (8 %)', { maxSubmissions: 0 }),
    { name: 'created_after the middle', of: (side) => ({ createdAfter: side.middle.visible_at.value as Date }) },
  ];
}

function searchOf(side: Side, shape: Shape, order: SearchOrder, direction: 'asc' | 'desc'): Search {
  return {
    time: order === 'published_at' ? 'published_at' : 'visible_at',
    specializations: [],
    statuses: null,
    visibleAt: new Date('2100-01-01T00:00:00Z'),
    order,
    direction,
    after: null,
    limit: 21,
    offset: 0,
    ...shape.of(side, order),
  };
}

async function compare(small: Side, large: Side, shape: Shape): Promise<SizeComparison> {
  const cases: SizeCase[] = [];
  for (const order of ORDERS) {
    for (const direction of ['desc', 'asc'] as const) {
      const [inSmall, inLarge] = [small, large].map((side) => searchOf(side, shape, order, direction)) as [
        Search,
        Search,
      ];
      const [a, b] = await medians([() => run(small.db, inSmall), () => run(large.db, inLarge)]);
      if (!a || !b) throw new Error('nothing was measured');
      cases.push({ order, direction, smallMs: a.ms, largeMs: b.ms, rows: b.rows });
    }
  }
  return { name: shape.name, cases };
}

async function run(db: Db, search: Search): Promise<number> {
  return (await searchProjectRows(db, search)).length;
}

/** Runs the measurements in turns, so that a slow moment of the machine affects all of them. */
async function medians(works: (() => Promise<number>)[]): Promise<{ ms: number; rows: number }[]> {
  const results = works.map(() => ({ times: [] as number[], rows: 0 }));
  for (let round = -8; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedAt = performance.now();
      const rows = await work();
      if (round >= 0) results[index]!.times.push(performance.now() - startedAt);
      results[index]!.rows = rows;
    }
  }
  return results.map(({ times, rows }) => ({ ms: times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0, rows }));
}
