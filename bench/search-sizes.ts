import { migrate } from '../server/db/migrate.ts';
import { createPool } from '../server/db/pool.ts';
import {
  type Search,
  type SearchOrder,
  searchProjectRows,
  type VisibleTime,
} from '../server/projects/search/search-queries.ts';
import { median, timed, type Tools } from './measure.ts';
import type { Row } from './report.ts';
import { seedMarketplace } from './seed.ts';
import type { Db } from '../server/db/database.ts';

const ROUNDS = 40;
const ORDERS: SearchOrder[] = ['published_at', 'visible_at', 'auto_select_deadline', 'prize_micro', 'entry_fee_micro'];
const MIDDLE = 'the cursor in the middle';

/** The limits of the design for each filter and order. */
const LIMITS_MS: Record<number, number> = { 100_000: 10, 1_000_000: 40 };

/** Measures a page of 20 at growing sizes of the market: each filter in each order and direction. */
export async function compareSizes({ world, rounds }: Tools): Promise<Row[]> {
  const sizes = [10_000, 100_000, ...(rounds < 5 ? [] : [1_000_000])];
  const dbs: Db[] = [];
  for (const size of sizes) dbs.push(await seeded(world.databaseUrl, size));
  // For each size, the times of each filter.
  const times = sizes.map((): Record<string, number[]> => ({}));
  for (const [name, filter] of Object.entries(await filtersOf(dbs[0]!)))
    for (const order of ORDERS)
      for (const direction of ['desc', 'asc'] as const) {
        const search = { ...EVERYTHING, order, time: timeOf(order), direction, ...filter };
        const ms = await medians(dbs, search, name === MIDDLE);
        for (const [index, of] of times.entries()) (of[name] ??= []).push(ms[index] ?? NaN);
      }
  await Promise.all(dbs.map((db) => db.end()));
  return rowsOf(sizes, times);
}

function rowsOf(sizes: number[], times: Record<string, number[]>[]): Row[] {
  const [small = {}, large = {}] = [times[0], times.at(-1)];
  const ratioRow = (name: string, aim: Row['aim'], [ofLarge, ofSmall]: [number[], number[]]): Row => ({
    what: `search at ${sizes.at(-1)?.toLocaleString('en')} projects : ${sizes[0]?.toLocaleString('en')}, ${name}`,
    aim,
    ratios: ofLarge.map((ms, index) => ms / (ofSmall[index] ?? NaN)),
    absolute: `${range(ofLarge)} : ${range(ofSmall)}`,
  });
  const all = (of: Record<string, number[]>) => Object.values(of).flat();
  const limitRow = (size: number, of: Record<string, number[]>): Row[] => {
    const mostMs = LIMITS_MS[size];
    if (mostMs === undefined) return [];
    const what = `search at ${size.toLocaleString('en')} projects, each filter and order`;
    const ratios = all(of).map((ms) => ms / mostMs);
    return [{ what, aim: { atMost: 1 }, ratios, each: true, absolute: `${range(all(of))} : ${mostMs} ms` }];
  };
  return [
    ...sizes.flatMap((size, index) => limitRow(size, times[index] ?? {})),
    ratioRow('all filters and orders', { atMost: 3 }, [all(large), all(small)]),
    ...Object.entries(large).map(([name, ofLarge]) => ratioRow(name, null, [ofLarge, small[name] ?? []])),
  ];
}

const range = (times: number[]): string => `${Math.min(...times).toFixed(2)}–${Math.max(...times).toFixed(2)} ms`;

async function seeded(serverUrl: string, projects: number): Promise<Db> {
  const admin = createPool({ url: serverUrl, connections: 1 });
  await admin.unsafe(`create database search_${projects}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/search_${projects}`;
  const db = createPool({ url: url.href, connections: 2 });
  await migrate(db);
  const address = `0x${'1'.repeat(40)}`;
  const payment = { network: 'eip155:84532', asset: address, payTo: address };
  await seedMarketplace(url.href, { projects, agents: 1, ...payment, termsTexts: false });
  return db;
}

/** Names specializations that have at least a full page on the small side, so that all sizes return as many rows. */
async function filtersOf(small: Db): Promise<Record<string, Partial<Search>>> {
  const rows = await small<{ id: string }[]>`
    select id from (select unnest(specializations) as id from projects) named
    group by id having count(*) >= 30 order by count(*) desc`;
  const [pair] = await small<{ ids: string[] }[]>`
    select array[one, other] as ids from projects, unnest(specializations) one, unnest(specializations) other
    where one < other group by one, other having count(*) >= 21 order by count(*) limit 1`;
  const [first = '', second = ''] = rows.map(({ id }) => id);
  const rarest = rows.at(-1)?.id ?? '';
  const named = (match: 'ANY' | 'ALL', ...wanted: string[]) => ({ specializations: [{ ids: wanted, match }] });
  return {
    'no filter': {},
    'status open': { statuses: ['open'] },
    'ANY common': named('ANY', first),
    'ANY rare': named('ANY', rarest),
    'ANY common,rare': named('ANY', first, rarest),
    'ANY common,rare, open': { ...named('ANY', first, rarest), statuses: ['open'] },
    'ALL common': named('ALL', first, second),
    'ALL rare': named('ALL', ...(pair?.ids ?? [])),
    [MIDDLE]: {},
    'offset 1000': { offset: 1000 },
    'min_prize 1995 (0.3 %)': { minPrizeMicro: 1_995_000_000 },
    'max_entry_fee 0.2 (2 %)': { maxFeeMicro: 200_000 },
    'max_total_submissions 0 (8 %)': { maxSubmissions: 0 },
  };
}

const timeOf = (order: SearchOrder): VisibleTime => (order === 'published_at' ? order : 'visible_at');
const EVERYTHING = {
  specializations: [],
  statuses: null,
  visibleAt: new Date('2100-01-01T00:00:00Z'),
  after: null,
  limit: 21,
  offset: 0,
};

/** Asks the databases in turns, so that a slow moment of the machine affects both. Returns the milliseconds of each. */
async function medians(dbs: Db[], search: Search, fromMiddle: boolean): Promise<number[]> {
  const searches = await Promise.all(
    dbs.map(async (db) => ({ ...search, after: fromMiddle ? await middleOf(db, search.order) : null })),
  );
  const times = dbs.map((): number[] => []);
  for (let round = -8; round < ROUNDS; round += 1)
    for (const [index, db] of dbs.entries()) {
      const ms = await timed(() => searchProjectRows(db, searches[index]!));
      if (round >= 0) times[index]!.push(ms);
    }
  return times.map(median);
}

async function middleOf(db: Db, order: SearchOrder): Promise<Search['after']> {
  const [row] = await db.unsafe<NonNullable<Search['after']>[]>(
    `select ${order} as value, id from projects where published_at is not null
     order by ${order}, id offset (select count(*) / 2 from projects) limit 1`,
  );
  return row ?? null;
}
