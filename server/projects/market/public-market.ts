import { hash } from 'node:crypto';
import type { marketOperations, MarketQuery } from '../../../contract/projects/market.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import { type Catalog, specializationCatalog } from '../../agents/public.ts';
import type { Deps } from '../../deps.ts';
import { listWithWords } from './public-queries.ts';
import { placesLeft } from '../places.ts';
import { projectDetail } from '../views.ts';
import { decodeSearchCursor, encodeSearchCursor, isCursorOf } from '../../paging.ts';
import {
  kindOf,
  knownOf,
  type FoundProject,
  type Search,
  positionOf,
  searchProjectRows,
} from '../search/search-queries.ts';
import { wordsQuery } from '../search/words-query.ts';
import type { Db } from '../../db/database.ts';

type Summary = Output<typeof marketOperations.listPublicProjects>['projects'][number];
/** A project of the market without its poster's name and its pictures, which `list-public-projects.ts` adds. */
export type MarketProject = Omit<Summary, 'poster' | 'cover' | 'winner'> & {
  posterId: string;
  winnerId: string | null;
};
export type MarketPage = { projects: MarketProject[]; nextCursor: string | null };

const ORDERS = {
  created_at: 'published_at',
  prize_amount: 'prize_micro',
  entry_fee: 'entry_fee_micro',
  deadline: 'auto_select_deadline',
} as const;
const SHOWN_FIRST = ['open', 'judging'] as const;
const EXCERPT = 280;
// At 1,000,000 projects, that is one in 500: a walk then reads 12,500 briefs for a page.
const FEW = 2_000;

type MarketDeps = Pick<Deps, 'reads' | 'clock'>;

/** The filters that a cursor belongs to. */
function filtersOf(query: MarketQuery): unknown[] {
  return [
    'public',
    query.q === undefined ? null : wordsQuery(query.q),
    query.specializations?.toSorted() ?? [],
    statusesOf(query),
    query.min_prize_amount ?? null,
    query.max_prize_amount ?? null,
    query.max_entry_fee ?? null,
    // Cursors of versions that ordered by the time of the draft are refused.
    query.order_by === 'created_at' ? ORDERS.created_at : query.order_by,
    query.order_direction,
  ];
}

function statusesOf({ status }: MarketQuery): Search['statuses'] {
  return status === undefined || status.length === 0 ? [...SHOWN_FIRST] : [...new Set(status)].toSorted();
}

/** Returns one page of public projects: first those that are not full, then the full ones, each with cursors of its own. */
export async function findMarketPage(deps: MarketDeps, query: MarketQuery): Promise<MarketPage> {
  const now = deps.clock.now();
  const catalog = await specializationCatalog({ db: deps.reads, clock: deps.clock });
  const [others, full] = [false, true].map((part) =>
    hash('sha256', JSON.stringify([...filtersOf(query), part]), 'buffer'),
  ) as [Buffer, Buffer];
  const order = ORDERS[query.order_by];
  const fromFull = query.cursor !== undefined && isCursorOf(query.cursor, full);
  const search: Search = {
    specializations: knownOf(catalog, 'ANY', query.specializations),
    statuses: statusesOf(query),
    visibleAt: now,
    time: 'published_at',
    minPrizeMicro: query.min_prize_amount,
    maxPrizeMicro: query.max_prize_amount,
    maxFeeMicro: query.max_entry_fee,
    ...(query.q === undefined ? {} : await briefsWith(deps.reads, wordsQuery(query.q))),
    order,
    direction: query.order_direction,
    full: fromFull,
    after:
      query.cursor === undefined ? null : decodeSearchCursor(query.cursor, fromFull ? full : others, kindOf(order)),
    limit: query.limit + 1,
    offset: 0,
  };
  const rows = await searchProjectRows(deps.reads, search);
  if (!fromFull && rows.length <= query.limit && search.statuses?.includes('open')) {
    const limit = query.limit + 1 - rows.length;
    rows.push(...(await searchProjectRows(deps.reads, { ...search, full: true, after: null, limit })));
  }
  const projects = rows.slice(0, query.limit).map((row) => marketProject(row, catalog));
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined;
  const filters = last && isFull(last) ? full : others;
  return { projects, nextCursor: last ? encodeSearchCursor(positionOf(last, order), filters) : null };
}

/**
 * Few matching briefs are looked up by id. Where many match, an ordered walk soon fills a page. The planner cannot tell these
 * cases apart: it estimates that an unknown prefix matches one brief in 50, and walked 20,000 projects to find one.
 */
async function briefsWith(db: Db, words: string): Promise<Pick<Search, 'projectIds' | 'words'>> {
  if (words === '') return { projectIds: [] };
  const projectIds = await listWithWords(db, words, FEW + 1);
  return projectIds.length > FEW ? { words } : { projectIds };
}

function isFull(row: FoundProject): boolean {
  return row.status === 'open' && placesLeft(row) === 0;
}

function marketProject(row: FoundProject, catalog: Catalog): MarketProject {
  const detail = projectDetail(row, catalog, row.seenAt);
  return {
    ...detail,
    // The search finds published projects only.
    status: row.status as MarketProject['status'],
    published_at: row.seenAt,
    excerpt: excerptOf(row.description),
    posterId: row.posterId,
    winnerId: row.winnerSubmissionId,
  };
}

/** Cuts between words, never within a character. */
function excerptOf(description: string): string {
  const flat = description.replaceAll(/\s+/g, ' ');
  if (flat.length <= EXCERPT) return flat;
  const cut = flat.slice(0, EXCERPT);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT / 2)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
