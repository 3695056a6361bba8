import type { ProjectStatus } from '../../../contract/projects.ts';
import type { Deps } from '../../deps.ts';

export type SearchOrder = 'created_at' | 'prize_micro' | 'entry_fee_micro';

/** Where a page ended: the value of the order's column, and the id that breaks ties. */
export type SearchPosition = { value: Date | number; id: string };

export type Search = {
  /** Of project_listings: '' is every project, 'a' all with a, 'a,b' all with both; several: any of them. */
  keys: string[];
  statuses: ProjectStatus[];
  /** Hides what becomes visible later. */
  visibleAt: Date;
  createdAfter: Date | undefined;
  minPrizeMicro: number | undefined;
  maxPrizeMicro?: number | undefined;
  minFeeMicro: number | undefined;
  maxFeeMicro: number | undefined;
  maxSubmissions: number | undefined;
  /** Of all that a search of titles found, where they are few. */
  projectIds?: string[];
  /** A tsquery, where many titles match it. */
  titles?: string;
  order: SearchOrder;
  direction: 'asc' | 'desc';
  after: SearchPosition | null;
  limit: number;
  offset: number;
};

// The longest page and one row more. A merge takes from its streams only what it needs, so the number costs nothing; it
// keeps the planner from expecting thousands of rows where the limit is a parameter.
const STREAM_LIMIT = 51;
// A plan that is kept takes some 25 KB a stream, in every connection.
const MAX_PREPARED_STREAMS = 8;

/**
 * One page of published projects. Each key in each status is one ordered walk along project_listings_created, _prize or
 * _fee; the walks are merged lazily, so that a page touches about as many rows as it shows, whatever the table holds.
 * `bench/search-plans.ts` shows the plans and the ratio of 1,000,000 projects to 10,000.
 */
export async function searchListings(
  { db, reads }: Pick<Deps, 'db' | 'reads'>,
  search: Search,
): Promise<ProjectCard[]> {
  const { text, values, prepare } = searchStatement(search);
  // What is not kept prepared may have to look at many rows.
  const cards = await (prepare ? reads : db).unsafe<ProjectCard[]>(text, values, { prepare });
  // Taken out of the driver's own array, which lasts until the next full collection. V8 puts a function literal that is
  // assigned to a property among the old objects at once; the driver's queries have two, which hold the query, and it its
  // rows. Of 24 KB a page, 70 % survived a collection of young objects, and 3 % do like this.
  return cards.splice(0);
}

/** `card` is a JSON object without its member `specializations`, whose ids are here, joined by commas. */
export type ProjectCard = { card: string; specializations: string };

const POSITION_MEMBERS = {
  created_at: 'created_at',
  prize_micro: 'prize_amount_micro',
  entry_fee_micro: 'entry_fee_micro',
} as const satisfies Record<SearchOrder, string>;

/** Where a page ends that ends with this card. */
export function positionOf({ card }: ProjectCard, order: SearchOrder): SearchPosition {
  const value = memberOf(card, POSITION_MEMBERS[order]);
  const id = JSON.parse(memberOf(card, 'id')) as string;
  return { value: order === 'created_at' ? new Date(JSON.parse(value) as string) : Number(value), id };
}

/**
 * The text of a member that has others behind it and no comma in it, without parsing the whole card. A quote within a string
 * is escaped, so that `"name":` is nothing but the member's name.
 */
function memberOf(card: string, name: string): string {
  const key = `"${name}":`;
  const from = card.indexOf(key) + key.length;
  return card.slice(from, card.indexOf(',', from));
}

type Value = string | number | Date | string[];
export type SearchStatement = { text: string; values: Value[]; prepare: boolean };

export function searchStatement(search: Search): SearchStatement {
  const { keys, statuses, order, direction, limit, offset } = search;
  const values: Value[] = [];
  const bind = (value: Value) => `$${values.push(value)}`;
  const { conditions, walksOwnColumn } = conditionsOf(search, bind);
  const prepare = walksOwnColumn && offset === 0 && keys.length * statuses.length <= MAX_PREPARED_STREAMS;
  const shape: Shape = {
    order,
    direction,
    conditions: conditions.join(' and '),
    streamLimit: prepare ? String(STREAM_LIMIT) : bind(offset + limit),
    statuses: statuses.map(bind),
    keys: keys.map(bind),
    limit: bind(limit),
    offset: offset === 0 ? null : bind(offset),
  };
  return { text: textOf(shape), values, prepare };
}

/** All that the text of a statement depends on, with the numbers of its parameters in place of their values. */
type Shape = Pick<Search, 'order' | 'direction'> & {
  conditions: string;
  streamLimit: string;
  statuses: string[];
  keys: string[];
  limit: string;
  offset: string | null;
};

// Searches have few shapes, and the text of one is put together once: it took twice as long as finding it.
const MAX_TEXTS = 500;
const texts = new Map<string, string>();

function textOf(shape: Shape): string {
  const name = `${shape.order} ${shape.direction} ${shape.keys.length} ${shape.statuses.length} ${shape.streamLimit} ${shape.offset} ${shape.conditions}`;
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = writeText(shape);
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(name, text);
  return text;
}

function writeText({ order, direction, conditions, streamLimit, statuses, keys, limit, offset }: Shape): string {
  const sorted = `order by ${order} ${direction}, project_id ${direction}`;
  const streams = keys.flatMap((key) =>
    statuses.map(
      (status) => `(select ${order}, project_id from project_listings
        where spec_key = ${key} and status = ${status} and ${conditions}
        ${sorted} limit ${streamLimit})`,
    ),
  );
  // A project comes once from every key that it matches; from one key it comes once.
  const distinct = keys.length > 1 ? `distinct on (${order}, project_id)` : '';
  return `select p.card, array_to_string(p.specializations, ',') as specializations
    from (
      select ${distinct} ${order}, project_id from (${streams.join(' union all ')}) streams
      ${sorted} limit ${limit} ${offset === null ? '' : `offset ${offset}`}
    ) page join projects p on p.id = page.project_id
    order by page.${order} ${direction}, page.project_id ${direction}`;
}

/**
 * Conditions on the order's own column bound the walk, and any plan is a good plan. One on another column may leave few
 * rows: then the planner has to see its value, to choose between walking in order and sorting what the column's own
 * index finds. Such a statement is not kept prepared; that costs 0.4 ms, and saves hundreds where matches are rare.
 */
function conditionsOf(
  search: Search,
  bind: (value: Value) => string,
): { conditions: string[]; walksOwnColumn: boolean } {
  const { order, direction, after, visibleAt, createdAfter, minPrizeMicro, minFeeMicro, maxFeeMicro, maxSubmissions } =
    search;
  const { maxPrizeMicro, projectIds, titles } = search;
  // The planner guesses that `visible_at <= $` keeps a third and gives up prepared plans for it (1.0 ms against 0.45 ms
  // with 12 streams). It keeps nearly all, and a comparison by <> is guessed to.
  const conditions = [`(visible_at > ${bind(visibleAt)})::integer <> 1`];
  if (after) {
    conditions.push(
      `(${order}, project_id) ${direction === 'desc' ? '<' : '>'} (${bind(after.value)}, ${bind(after.id)})`,
    );
  }
  const ranges: { column: SearchOrder; sign: string; bound: Value | undefined }[] = [
    { column: 'created_at', sign: '>', bound: createdAfter },
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
    // Changes with every entry, so it is not copied into the up to 32 rows of a project's listing. Where few match, the
    // planner starts from projects_entries.
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
