import { hash } from 'node:crypto';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { projectOperations, ProjectStatus, SearchQuery } from '../../../contract/projects/projects.ts';
import { type Catalog, specializationCatalog } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import { searchHorizon, searchStart } from '../publication/search-times.ts';
import { projectDetail } from '../views.ts';
import { decodeSearchCursor, encodeSearchCursor } from '../../paging.ts';
import {
  type FoundProject,
  kindOf,
  knownOf,
  positionOf,
  type Search,
  searchProjectRows,
  type VisibleTime,
} from './search-queries.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof projectOperations.searchProjects;
type Page = Output<Operation>;

/** A search never finds drafts. */
const VISIBLE: readonly ProjectStatus[] = ['open', 'judging', 'completed', 'cancelled'];
const ORDERS = { prize_amount: 'prize_micro', entry_fee: 'entry_fee_micro' } as const;
// The largest `integer` of PostgreSQL.
const MAX_COUNT = 2_147_483_647;

/**
 * Returns one page of the projects that the agent may see.
 *
 * @throws DomainError INVALID_PARAMETER when the cursor is malformed or belongs to other filters
 */
export async function searchProjects(ctx: Context<AgentCaller>, { query }: Input<Operation>): Promise<Page> {
  const now = ctx.clock.now();
  // Elite agents also see projects in early access.
  const time: VisibleTime = ctx.caller.tier === 'elite' ? 'published_at' : 'visible_at';
  const { limit, created_after: createdAfter, specializations: ids } = query;
  const order = orderOf(query, time);
  const filters = hash('sha256', JSON.stringify(filtersOf(query, time)), 'buffer');
  const after = query.cursor === undefined ? null : decodeSearchCursor(query.cursor, filters, kindOf(order));
  const offset = after ? 0 : query.offset;
  const catalog = await specializationCatalog({ db: ctx.reads, clock: ctx.clock });
  // Before the projects are read: the snapshot of the search then holds every publication up to the horizon.
  const horizon = after?.horizon ?? (await searchHorizon(ctx.reads, now));
  const start = createdAfter && (await searchStart(ctx.reads, now, createdAfter));
  const statuses = statusesOf(query);
  const search: Search = {
    specializations: knownOf(catalog, query.specializations_match, ids),
    statuses: statuses.length === VISIBLE.length ? null : statuses,
    visibleAt: time === 'published_at' ? null : now,
    time,
    createdAfter: start,
    minPrizeMicro: query.min_prize_amount,
    minFeeMicro: query.min_entry_fee,
    maxFeeMicro: query.max_entry_fee,
    maxSubmissions: query.max_total_submissions && Math.min(query.max_total_submissions, MAX_COUNT),
    order,
    direction: query.order_direction,
    after,
    limit: limit + 1,
    offset,
  };
  const rows = await searchProjectRows(ctx.reads, search);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    projects: shown.map((row) => foundProject(row, catalog)),
    pagination: {
      limit,
      offset,
      total_returned: shown.length,
      has_more: last !== undefined,
      next_cursor: last ? encodeSearchCursor(positionOf(last, order), filters, horizon) : null,
      horizon,
    },
  };
}

/** Returns a project as it stands in a list, with amounts in USDC. The output schema drops what only the detail shows. */
export function foundProject(row: FoundProject, catalog: Catalog): Page['projects'][number] {
  return {
    ...projectDetail(row, catalog, row.seenAt),
    prize_amount: usdcNumber(row.prizeMicro),
    entry_fee: usdcNumber(row.entryFeeMicro),
    poster_no_winner: row.posterNoWinner,
  };
}

/** `created_at` is the time at which the project became visible to the caller. */
function orderOf({ order_by: order }: SearchQuery, time: VisibleTime): Search['order'] {
  return order === 'created_at' ? time : ORDERS[order];
}

/** Returns the filters and the order, equal for searches that mean the same. A cursor is valid only with them. */
function filtersOf(query: SearchQuery, time: VisibleTime): unknown[] {
  const specializations = query.specializations?.toSorted() ?? [];
  return [
    specializations,
    specializations.length > 1 ? query.specializations_match : 'ANY',
    statusesOf(query),
    query.created_after?.getTime() ?? null,
    query.min_prize_amount ?? null,
    query.min_entry_fee ?? null,
    query.max_entry_fee ?? null,
    query.max_total_submissions ?? null,
    query.order_by === 'created_at' ? time : query.order_by,
    query.order_direction,
  ];
}

function statusesOf({ status }: SearchQuery): ProjectStatus[] {
  return VISIBLE.filter((visible) => !status || status.length === 0 || status.includes(visible));
}
