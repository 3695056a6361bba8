import { hash } from 'node:crypto';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { projectOperations, ProjectStatus, SearchQuery } from '../../../contract/projects/projects.ts';
import { type Catalog, specializationCatalog } from '../../agents/accounts/public.ts';
import type { Context } from '../../deps.ts';
import { JsonText } from '../../serve.ts';
import { sharedSearch } from '../public.ts';
import { searchHorizon, searchStart } from '../publication/public.ts';
import { decodeSearchCursor, encodeSearchCursor } from './search-cursor.ts';
import { kindOf, positionOf, projectJson, type Search, searchListings, type VisibleTime } from './search-queries.ts';
import { inSearchTurn } from './search-turns.ts';
import { specializationsWriter } from './specializations-json.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof projectOperations.searchProjects;
type Page = Output<Operation>;

/** A search never finds drafts. */
const VISIBLE: readonly ProjectStatus[] = ['open', 'judging', 'completed', 'cancelled'];
const ORDERS = { prize_amount: 'prize_micro', entry_fee: 'entry_fee_micro' } as const;
// No project has more specializations, so a search for all of more than 5 matches nothing.
const MAX_SPECIALIZATIONS = 5;
// The largest `integer` of PostgreSQL.
const MAX_COUNT = 2_147_483_647;

/**
 * Returns one page of the projects that the agent may see. Identical searches within one second share one query and one
 * result. Elite agents share among themselves, because they also see projects in early access.
 *
 * @throws DomainError INVALID_PARAMETER when the cursor is malformed or belongs to other filters
 */
export async function searchProjects(ctx: Context<AgentCaller>, { query }: Input<Operation>): Promise<JsonText> {
  const now = ctx.clock.now();
  const time: VisibleTime = ctx.caller.tier === 'elite' ? 'published_at' : 'visible_at';
  const filters = JSON.stringify(filtersOf(query, time));
  const key = `${filters} ${time} ${query.limit} ${query.cursor ?? query.offset}`;
  return await inSearchTurn(
    ctx,
    async () => await sharedSearch(ctx.db, key, now, async () => await findPage(ctx, { query, filters, time, now })),
  );
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

type Request = { query: SearchQuery; filters: string; time: VisibleTime; now: Date };

async function findPage(ctx: Context<AgentCaller>, { query, filters, time, now }: Request): Promise<JsonText> {
  const { limit, created_after: createdAfter } = query;
  const filterHash = hash('sha256', filters, 'buffer');
  const order = orderOf(query, time);
  const after = query.cursor === undefined ? null : decodeSearchCursor(query.cursor, filterHash, kindOf(order));
  const offset = after ? 0 : query.offset;
  const catalog = await specializationCatalog({ db: ctx.searchReads, clock: ctx.clock });
  // Before the listings are read: the snapshot of the search then holds every publication up to the horizon.
  const horizon = after?.horizon ?? (await searchHorizon(ctx.searchReads, now));
  const start = createdAfter && (await searchStart(ctx.searchReads, now, createdAfter));
  const search: Search = {
    keys: listingKeys(query, catalog),
    statuses: statusesOf(query),
    visibleAt: time === 'published_at' ? null : now,
    time,
    createdAfter: start,
    minPrizeMicro: query.min_prize_amount,
    minFeeMicro: query.min_entry_fee,
    maxFeeMicro: query.max_entry_fee,
    maxSubmissions:
      query.max_total_submissions === undefined ? undefined : Math.min(query.max_total_submissions, MAX_COUNT),
    order,
    direction: query.order_direction,
    after,
    limit: limit + 1,
    offset,
  };
  const cards = search.keys.length === 0 || search.statuses.length === 0 ? [] : await searchListings(ctx, search);
  const shown = cards.slice(0, limit);
  const last = cards.length > limit ? shown.at(-1) : undefined;
  const pagination: Page['pagination'] = {
    limit,
    offset,
    total_returned: shown.length,
    has_more: last !== undefined,
    next_cursor: last ? encodeSearchCursor(positionOf(last, order), filterHash, horizon) : null,
    horizon,
  };
  // `+=` copies nothing until the page is sent. With `map` and `join`, a search takes 1.3 times the CPU time
  // (docs/decisions/0030-search-tunings.md).
  const written = specializationsWriter(catalog);
  let projects = '';
  for (const card of shown) {
    const separator = projects === '' ? '' : ',';
    projects += `${separator}${projectJson(card, `,"specializations":${written(card.specializations)}`)}`;
  }
  return new JsonText(`{"projects":[${projects}],"pagination":${JSON.stringify(pagination)}}`);
}

function statusesOf({ status }: SearchQuery): ProjectStatus[] {
  return VISIBLE.filter((visible) => !status || status.length === 0 || status.includes(visible));
}

/** Returns the keys of project_listings that hold the matches; none if nothing can match. */
function listingKeys({ specializations, specializations_match }: SearchQuery, catalog: Catalog): string[] {
  if (!specializations || specializations.length === 0) return [''];
  const known = specializations.filter((id) => catalog.has(id)).toSorted();
  if (specializations_match === 'ANY') return known;
  return known.length === specializations.length && known.length <= MAX_SPECIALIZATIONS ? [known.join(',')] : [];
}
