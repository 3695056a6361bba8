import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Deps } from '../../deps.ts';
import { inTime, onSearchPool } from './search-turns.ts';
import type { Db } from '../../ports/database.ts';

/** When a project became visible: its publication for elite agents and the market, the end of early access for others. */
export type VisibleTime = 'published_at' | 'visible_at';
export type SearchOrder = VisibleTime | 'prize_micro' | 'entry_fee_micro';

/** The last row of a page: the value of the order's column, and the id that breaks ties. */
export type SearchPosition = { value: Date | number; id: string };
/** The type of a position's value. */
export type PositionKind = 'time' | 'amount';

export type Search = {
  /**
   * Keys of project_listings: '' for every project, 'a' for those with a, 'a,b' for those with both. Several mean any.
   */
  keys: string[];
  statuses: ProjectStatus[];
  /** Excludes projects that become visible later; null: none, because the caller sees projects in early access. */
  visibleAt: Date | null;
  /** The time that the caller sees as `created_at`, and that `createdAfter` is compared with. */
  time: VisibleTime;
  createdAfter: Date | undefined;
  minPrizeMicro: number | undefined;
  maxPrizeMicro?: number | undefined;
  minFeeMicro: number | undefined;
  maxFeeMicro: number | undefined;
  maxSubmissions: number | undefined;
  /** Limits the result to these projects: a title search found only a few. */
  projectIds?: string[];
  /** Limits the result to titles that match this tsquery: a title search found many. */
  titles?: string;
  order: SearchOrder;
  direction: 'asc' | 'desc';
  after: SearchPosition | null;
  limit: number;
  offset: number;
};

/** A column of a statement on `projects p`. Index projects_no_winner, in which few projects are. */
export const POSTER_NO_WINNER = `(
  select count(*) from projects ended
  where ended.poster_id = p.poster_id and ended.no_winner_reason is not null and ended.status = 'cancelled'
) as "posterNoWinner"`;

// The longest page plus one row. The merge reads only the rows it needs, so a higher limit costs nothing. A constant
// keeps the planner from expecting thousands of rows, as it does with a parameter.
const STREAM_LIMIT = 51;
// A prepared plan takes about 25 KB for each stream, in every connection.
const MAX_PREPARED_STREAMS = 8;

/**
 * Returns one page of published projects. Each key in each status is one ordered scan of the index
 * project_listings_published, _visible, _prize or _fee. PostgreSQL merges the scans lazily, so a page reads about as
 * many rows as it returns, at any table size. `bench/search-plans.ts` prints the plans, and compares 1,000,000 projects
 * with 10,000.
 */
export async function searchListings(
  { searches, searchReads }: Pick<Deps, 'searches' | 'searchReads'>,
  search: Search,
): Promise<ProjectCard[]> {
  const { text, values, prepare } = searchStatement(search);
  const run = (db: Db) => db.unsafe<ProjectCard[]>(text, values, { prepare });
  // A statement that is not prepared may read many rows, and would hold up the short ones on `searchReads`.
  return await (prepare ? inTime(() => run(searchReads)) : onSearchPool(searches, run));
}

/**
 * `card` is the project's JSON object without `created_at`, which is `seenAt` here, and without `specializations`, whose
 * ids are here, joined by commas. `posterNoWinner` is how often the poster chose nobody.
 */
export type ProjectCard = { card: string; seenAt: Date; specializations: string; posterNoWinner: number };

/** Returns a card as the JSON of a project. `more` has further members, each with a comma before it. */
export function projectJson(
  { card, seenAt, posterNoWinner }: Pick<ProjectCard, 'card' | 'seenAt' | 'posterNoWinner'>,
  more: string,
): string {
  return `${card.slice(0, -1)},"created_at":"${seenAt.toISOString()}","poster_no_winner":${posterNoWinner}${more}}`;
}

const POSITION_MEMBERS = { prize_micro: 'prize_amount_micro', entry_fee_micro: 'entry_fee_micro' } as const;
type Positioned = { id: string; prize_amount_micro: number; entry_fee_micro: number };

/** Returns the position of a card in the given order, for the cursor of a page that ends with it. */
export function positionOf({ card, seenAt }: ProjectCard, order: SearchOrder): SearchPosition {
  const project = JSON.parse(card) as Positioned;
  return { value: isTime(order) ? seenAt : project[POSITION_MEMBERS[order]], id: project.id };
}

export function kindOf(order: SearchOrder): PositionKind {
  return isTime(order) ? 'time' : 'amount';
}

function isTime(order: SearchOrder): order is VisibleTime {
  return order === 'published_at' || order === 'visible_at';
}

type Value = string | number | Date | string[];
/** `prepare` says whether a prepared plan is good for all values. */
export type SearchStatement = { text: string; values: Value[]; prepare: boolean };

/** Returns the statement of a search; `bench/` measures it without the service. */
export function searchStatement(search: Search): SearchStatement {
  const { keys, statuses, order, direction, limit, offset } = search;
  const values: Value[] = [];
  const bind = (value: Value) => `$${values.push(value)}`;
  const { conditions, walksOwnColumn } = conditionsOf(search, bind);
  const prepare = walksOwnColumn && offset === 0 && keys.length * statuses.length <= MAX_PREPARED_STREAMS;
  const shape: Shape = {
    order,
    time: search.time,
    direction,
    conditions: conditions.join(' and '),
    streamLimit: prepare ? String(STREAM_LIMIT) : bind(offset + limit),
    statuses: statuses.map(bind),
    keys: keys.map(bind),
    limit: bind(limit),
    offset: offset === 0 ? null : bind(offset),
  };
  return { text: writeText(shape), values, prepare };
}

/** Everything that the text of a statement depends on, with the parameters' numbers in place of their values. */
type Shape = Pick<Search, 'order' | 'time' | 'direction'> & {
  conditions: string;
  streamLimit: string;
  statuses: string[];
  keys: string[];
  limit: string;
  offset: string | null;
};

function writeText({ order, time, direction, conditions, streamLimit, statuses, keys, limit, offset }: Shape): string {
  const sorted = `order by ${order} ${direction}, project_id ${direction}`;
  const streams = keys.flatMap((key) =>
    statuses.map(
      (status) => `(select ${order}, project_id from project_listings
        where spec_key = ${key} and status = ${status} and ${conditions}
        ${sorted} limit ${streamLimit})`,
    ),
  );
  // Only with several keys can a project occur twice.
  const distinct = keys.length > 1 ? `distinct on (${order}, project_id)` : '';
  return `select p.card, p.${time} as "seenAt", array_to_string(p.specializations, ',') as specializations,
      ${POSTER_NO_WINNER}
    from (
      select ${distinct} ${order}, project_id from (${streams.join(' union all ')}) streams
      ${sorted} limit ${limit} ${offset === null ? '' : `offset ${offset}`}
    ) page join projects p on p.id = page.project_id
    order by page.${order} ${direction}, page.project_id ${direction}`;
}

/**
 * Builds the conditions of a scan. `walksOwnColumn` is true if they bound only the column of the order: then any plan
 * is good, and the statement can be prepared. A condition on another column may leave few rows. Then the planner needs
 * its value, to choose between an ordered scan and sorting the rows of the other column's index. Without a prepared
 * plan a statement costs 0.4 ms more, which saves hundreds of milliseconds where matches are rare.
 */
function conditionsOf(
  search: Search,
  bind: (value: Value) => string,
): { conditions: string[]; walksOwnColumn: boolean } {
  const { order, direction, after, visibleAt, createdAfter, minPrizeMicro, minFeeMicro, maxFeeMicro, maxSubmissions } =
    search;
  const { time, maxPrizeMicro, projectIds, titles } = search;
  // Nearly every project is visible, but the planner assumes a third for `visible_at <= $`. It then rejects the
  // prepared plan (1.0 ms instead of 0.45 ms with 12 streams). For a comparison by `<>`, it assumes nearly all.
  const conditions = visibleAt === null ? ['true'] : [`(visible_at > ${bind(visibleAt)})::integer <> 1`];
  if (after) {
    conditions.push(
      `(${order}, project_id) ${direction === 'desc' ? '<' : '>'} (${bind(after.value)}, ${bind(after.id)})`,
    );
  }
  const ranges: { column: SearchOrder; sign: string; bound: Value | undefined }[] = [
    { column: time, sign: '>', bound: createdAfter },
    { column: 'prize_micro', sign: '>=', bound: minPrizeMicro },
    { column: 'prize_micro', sign: '<=', bound: maxPrizeMicro },
    { column: 'entry_fee_micro', sign: '>=', bound: minFeeMicro },
    { column: 'entry_fee_micro', sign: '<=', bound: maxFeeMicro },
  ];
  let walksOwnColumn = maxSubmissions === undefined;
  for (const { column, sign, bound } of ranges) {
    if (bound === undefined) continue;
    conditions.push(`${column} ${sign} ${bind(bound)}`);
    walksOwnColumn &&= column === order;
  }
  if (maxSubmissions !== undefined) {
    // total_submissions changes with every entry, so project_listings, with up to 32 rows a project, has no copy. Where
    // few projects match, the planner starts from projects_entries.
    conditions.push(`exists (
      select 1 from projects entered
      where entered.id = project_id and entered.published_at is not null and entered.total_submissions <= ${bind(maxSubmissions)})`);
  }
  if (projectIds) {
    walksOwnColumn = false;
    conditions.push(`project_id = any(${bind(projectIds)}::uuid[])`);
  }
  if (titles !== undefined) {
    walksOwnColumn = false;
    conditions.push(`exists (
      select 1 from projects titled
      where titled.id = project_id and titled.published_at is not null
        and to_tsvector('simple', titled.title) @@ to_tsquery('simple', ${bind(titles)}))`);
  }
  return { conditions, walksOwnColumn };
}
