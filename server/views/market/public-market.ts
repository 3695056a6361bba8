import { hash } from 'node:crypto';
import type { marketOperations, MarketQuery } from '../../../contract/projects/market.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import { type Catalog, specializationCatalog } from '../../agents/accounts/public.ts';
import type { Deps } from '../../deps.ts';
import { findPublicProject, listTitled, type PublicProjectRow } from './public-queries.ts';
import { sharedSearch, projectNotFound, winnerReceivesMicro } from '../../projects/public.ts';
import {
  decodeSearchCursor,
  encodeSearchCursor,
  kindOf,
  onSearchPool,
  type ProjectCard,
  type Search,
  positionOf,
  searchListings,
} from '../../projects/search/public.ts';
import type { Db, Queryable } from '../../ports/database.ts';

type Summary = Output<typeof marketOperations.listPublicProjects>['projects'][number];
/** A project of the market without its poster's name and its winner, which `list-public-projects.ts` adds. */
export type MarketProject = Omit<Summary, 'poster' | 'winner'> & { posterId: string; winnerId: string | null };
export type MarketPage = { projects: MarketProject[]; nextCursor: string | null };

const ORDERS = { created_at: 'published_at', prize_amount: 'prize_micro', entry_fee: 'entry_fee_micro' } as const;
const SHOWN_FIRST = ['open', 'judging'] as const;
const EXCERPT = 280;
const MAX_WORDS = 8;
// At 1,000,000 projects, that is one in 500: a walk then reads 12,500 titles for a page.
const FEW_TITLES = 2_000;
const PPM = 1_000_000;

type MarketDeps = Pick<Deps, 'db' | 'searches' | 'searchReads' | 'clock'>;

/** Returns one page of public projects. Identical requests of one second share the result of `complete`. */
export function sharedMarketPage<Page>(
  deps: MarketDeps,
  query: MarketQuery,
  complete: (page: MarketPage) => Promise<Page>,
): Promise<Page> {
  const now = deps.clock.now();
  const key = JSON.stringify(['public', filtersOf(query), query.limit, query.cursor ?? null]);
  // A published project makes this process forget the answers that it shares for the main pool.
  return sharedSearch(deps.db, key, now, async () => await complete(await findPage(deps, query, now)));
}

/** The filters that a cursor belongs to. */
function filtersOf(query: MarketQuery): unknown[] {
  return [
    'public',
    wordsOf(query.q),
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

/** Null without a search text. An empty list means a text without words, which matches nothing. */
function wordsOf(q: string | undefined): string[] | null {
  return q === undefined ? null : (q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
}

async function findPage(deps: MarketDeps, query: MarketQuery, now: Date): Promise<MarketPage> {
  const catalog = await specializationCatalog({ db: deps.searchReads, clock: deps.clock });
  const filterHash = hash('sha256', JSON.stringify(filtersOf(query)), 'buffer');
  const order = ORDERS[query.order_by];
  const words = wordsOf(query.q);
  const keys = query.specializations?.length ? query.specializations.filter((id) => catalog.has(id)) : [''];
  const search: Search = {
    keys: keys.toSorted(),
    statuses: statusesOf(query),
    visibleAt: now,
    time: 'published_at',
    createdAfter: undefined,
    minPrizeMicro: query.min_prize_amount,
    maxPrizeMicro: query.max_prize_amount,
    minFeeMicro: undefined,
    maxFeeMicro: query.max_entry_fee,
    maxSubmissions: undefined,
    ...(words ? await titlesWith(deps.searches, words) : {}),
    order,
    direction: query.order_direction,
    after: query.cursor === undefined ? null : decodeSearchCursor(query.cursor, filterHash, kindOf(order)),
    limit: query.limit + 1,
    offset: 0,
  };
  const cards = keys.length === 0 || search.projectIds?.length === 0 ? [] : await searchListings(deps, search);
  const projects = cards.slice(0, query.limit).map((card) => marketProject(card, catalog));
  const last = cards.length > query.limit ? cards[query.limit - 1] : undefined;
  return { projects, nextCursor: last ? encodeSearchCursor(positionOf(last, order), filterHash) : null };
}

/**
 * Few matching titles are looked up by id. Where many match, an ordered walk soon meets a page. The planner cannot tell these
 * cases apart: it estimates that an unknown prefix matches one title in 50, and walked 20,000 projects to find one.
 */
async function titlesWith(db: Db, words: string[]): Promise<Pick<Search, 'projectIds' | 'titles'>> {
  if (words.length === 0) return { projectIds: [] };
  const titles = words.map((word) => `'${word}':*`).join(' & ');
  const projectIds = await onSearchPool(db, (pool) => listTitled(pool, titles, FEW_TITLES + 1));
  return projectIds.length > FEW_TITLES ? { titles } : { projectIds };
}

/** The members of a project's card that the market shows. The trigger project_card writes the card. */
type Card = {
  id: string;
  poster_id: string;
  title: string;
  description: string;
  status: Summary['status'];
  prize_amount_micro: number;
  entry_fee_micro: number;
  platform_fee_rate: number;
  total_submissions: number;
  auto_select_deadline: string;
  closes_at: string | null;
  max_entries: number | null;
  places_left: number | null;
  published_at: string;
  completed_at: string | null;
  color_preferences: string[];
  winner_submission_id: string | null;
};

function marketProject({ card: text, specializations }: ProjectCard, catalog: Catalog): MarketProject {
  const card = JSON.parse(text) as Card;
  return {
    id: card.id,
    title: card.title,
    status: card.status,
    prize_amount_micro: card.prize_amount_micro,
    entry_fee_micro: card.entry_fee_micro,
    winner_receives_micro: winnerReceivesMicro(card.prize_amount_micro, Math.round(card.platform_fee_rate * PPM)),
    total_submissions: card.total_submissions,
    auto_select_deadline: new Date(card.auto_select_deadline),
    closes_at: card.closes_at === null ? null : new Date(card.closes_at),
    max_entries: card.max_entries,
    places_left: card.places_left,
    published_at: new Date(card.published_at),
    completed_at: card.completed_at === null ? null : new Date(card.completed_at),
    specializations: specializations.split(',').flatMap((id) => catalog.get(id) ?? []),
    color_preferences: card.color_preferences,
    excerpt: excerptOf(card.description),
    posterId: card.poster_id,
    winnerId: card.winner_submission_id,
  };
}

/** Cuts between words, never within a character. */
function excerptOf(description: string): string {
  const flat = description.replaceAll(/\s+/g, ' ');
  if (flat.length <= EXCERPT) return flat;
  const cut = flat.slice(0, EXCERPT);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT / 2)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the public part of a project. @throws DomainError PROJECT_NOT_FOUND */
export async function requirePublicProject(db: Queryable, projectId: string, now: Date): Promise<PublicProjectRow> {
  const row = await findPublicProject(db, projectId, now);
  if (!row) throw projectNotFound();
  return row;
}
