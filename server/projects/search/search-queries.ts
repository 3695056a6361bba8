import { safeMicro } from '../../../contract/basics/money.ts';
import type { Catalog } from '../../agents/public.ts';
import type { PositionKind, SearchPosition } from '../../paging.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import { type ProjectRow, SHOWN_COLUMNS } from '../rows.ts';
import type { Db } from '../../db/database.ts';

/** When a project became visible: its publication for elite agents and the market, the end of early access for others. */
export type VisibleTime = 'published_at' | 'visible_at';
export type SearchOrder = VisibleTime | 'auto_select_deadline' | 'prize_micro' | 'entry_fee_micro';

export type Search = {
  /** Each finds the projects with all of these specializations, or with any of them; no ids find none. */
  specializations: { ids: string[]; match: 'ALL' | 'ANY' }[];
  /** Null: every published project. */
  statuses: ProjectStatus[] | null;
  /** Excludes projects that become visible later; null: none, because the caller sees projects in early access. */
  visibleAt: Date | null;
  /** The time that the caller sees as `created_at`, and that `createdAfter` is compared with. */
  time: VisibleTime;
  createdAfter?: Date | undefined;
  minPrizeMicro?: number | undefined;
  maxPrizeMicro?: number | undefined;
  minFeeMicro?: number | undefined;
  maxFeeMicro?: number | undefined;
  maxSubmissions?: number | undefined;
  /** Limits the result to these projects: a search for words found only a few. */
  projectIds?: string[];
  /** Limits the result to briefs that match this tsquery: a search for words found many. */
  words?: string;
  /** Finds only open projects without a place, or none of them. */
  full?: boolean;
  order: SearchOrder;
  direction: 'asc' | 'desc';
  after: SearchPosition | null;
  limit: number;
  offset: number;
};

/** A column of a statement on `projects p`. Index projects_no_winner, in which few projects are. */
const POSTER_NO_WINNER = `(
  select count(*) from projects ended
  where ended.poster_id = p.poster_id and ended.no_winner_reason is not null and ended.status = 'cancelled'
) as "posterNoWinner"`;

/** `seenAt` is when the caller could first see the project, `posterNoWinner` how often its poster chose nobody. */
export type FoundProject = ProjectRow & { seenAt: Date; posterNoWinner: number };

/** The columns of a `FoundProject`. */
export const foundColumns = (time: VisibleTime): string =>
  `${SHOWN_COLUMNS}, p.${time} as "seenAt", ${POSTER_NO_WINNER}`;

/**
 * Returns one page of published projects. Each order has an index, and one that begins with the status; specializations have
 * a GIN index. The statement is not prepared: the planner needs the values, to choose between a walk in order and sorting
 * the matches of a rare filter.
 */
export async function searchProjectRows(db: Db, search: Search): Promise<FoundProject[]> {
  if (search.specializations.some(({ ids }) => ids.length === 0)) return [];
  const { text, values } = searchStatement(search);
  return await db.unsafe<FoundProject[]>(text, values);
}

/**
 * Returns the filter of a search for specializations. An id that the catalog lacks matches nothing, but the planner expects
 * projects with it, and walks all of them for many such ids.
 */
export function knownOf(catalog: Catalog, match: 'ALL' | 'ANY', ids: string[] = []): Search['specializations'] {
  if (ids.length === 0) return [];
  const known = ids.filter((id) => catalog.has(id));
  return [{ ids: match === 'ALL' && known.length < ids.length ? [] : known, match }];
}

/** Returns the position of a row in the given order, for the cursor of a page that ends with it. */
export function positionOf({ id, ...row }: FoundProject, order: SearchOrder): SearchPosition {
  if (order === 'prize_micro') return { value: row.prizeMicro, id };
  if (order === 'auto_select_deadline') return { value: row.deadline, id };
  return { value: order === 'entry_fee_micro' ? row.entryFeeMicro : row.seenAt, id };
}

export function kindOf(order: SearchOrder): PositionKind {
  return order === 'prize_micro' || order === 'entry_fee_micro' ? 'amount' : 'time';
}

/** Not true where `max_entries` is null: the project takes entries without end. */
const FULL = `status = 'open' and places_taken >= max_entries`;

type Value = string | number | Date | string[];
export type SearchStatement = { text: string; values: Value[] };

/** Returns the statement of a search; `bench/` measures it without the service. */
export function searchStatement(search: Search): SearchStatement {
  const { order, time, direction, limit, offset } = search;
  const values: Value[] = [];
  const bind = (value: Value) => `$${values.push(typeof value === 'number' ? safeMicro(value) : value)}`;
  const conditions = conditionsOf(search, bind);
  // The page is found first, so that rows before the offset cost no columns.
  const text = `select ${foundColumns(time)} from (
      select ${order}, id from projects
      where published_at is not null ${conditions.map((condition) => `and ${condition}`).join(' ')}
      order by ${order} ${direction}, id ${direction} limit ${bind(limit)} offset ${bind(offset)}
    ) page join projects p on p.id = page.id
    order by page.${order} ${direction}, page.id ${direction}`;
  return { text, values };
}

function conditionsOf(search: Search, bind: (value: Value) => string): string[] {
  const { specializations, statuses, order, direction, after, projectIds, words, full } = search;
  const conditions: string[] = [];
  for (const { ids, match } of specializations)
    conditions.push(`specializations ${match === 'ALL' ? '@>' : '&&'} ${bind(ids)}::text[]`);
  const [status] = statuses ?? [];
  if (statuses?.length === 1 && status) conditions.push(`status = ${bind(status)}`);
  else if (statuses) conditions.push(`status = any(${bind(statuses)}::text[])`);
  if (after) {
    const sign = direction === 'desc' ? '<' : '>';
    conditions.push(`(${order}, id) ${sign} (${bind(after.value)}, ${bind(after.id)})`);
  }
  conditions.push(...boundsOf(search).map(([comparison, bound]) => `${comparison} ${bind(bound)}`));
  if (projectIds) conditions.push(`id = any(${bind(projectIds)}::uuid[])`);
  if (full !== undefined) conditions.push(full ? FULL : `(${FULL}) is not true`);
  if (words !== undefined)
    conditions.push(`project_words(title, tags, description, requirements) @@ to_tsquery('simple', ${bind(words)})`);
  return conditions;
}

/** Leaves out an upper bound that the cursor implies: PostgreSQL would walk the index from the bound down to the cursor. */
function boundsOf({ order, direction, after, ...search }: Search): [comparison: string, bound: Value][] {
  const isImplied = (column: string, bound: Value) =>
    column === order && direction === 'desc' && after !== null && after.value <= bound;
  const bounds: [column: string, sign: string, Value | null | undefined][] = [
    ['visible_at', '<=', search.visibleAt],
    [search.time, '>', search.createdAfter],
    ['prize_micro', '>=', search.minPrizeMicro],
    ['prize_micro', '<=', search.maxPrizeMicro],
    ['entry_fee_micro', '>=', search.minFeeMicro],
    ['entry_fee_micro', '<=', search.maxFeeMicro],
    ['total_submissions', '<=', search.maxSubmissions],
  ];
  return bounds.flatMap(([column, sign, bound]) => {
    if (bound === null || bound === undefined || (sign === '<=' && isImplied(column, bound))) return [];
    return [[`${column} ${sign}`, bound]];
  });
}
