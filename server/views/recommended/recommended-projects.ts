import { hash } from 'node:crypto';
import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';
import { MAX_AMOUNT_MICRO, parseUsdc } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { projectOperations } from '../../../contract/projects/projects.ts';
import {
  type Participation,
  participationOf,
  type Catalog,
  specializationCatalog,
} from '../../agents/accounts/public.ts';
import type { Context } from '../../deps.ts';
import { JsonText } from '../../serve.ts';
import { workingTime } from './recommended-hours.ts';
import { findRecommended, type RecommendedCard } from './recommended-queries.ts';
import {
  decodeSearchCursor,
  encodeSearchCursor,
  inSearchTurn,
  onSearchPool,
  projectJson,
  type SpecializationsWriter,
  specializationsWriter,
  type VisibleTime,
} from '../../projects/search/public.ts';
import { INTENT_BUFFER_SECONDS } from '../../projects/public.ts';
import type { AgentCaller, Tier } from '../../ports/callers.ts';

type Operation = typeof projectOperations.recommendProjects;
type Page = Output<Operation>;

const NEVER = new Date('9999-12-31T23:59:59.999Z');

/**
 * Returns the projects that fit the agent and that it can enter in its working hours, best first. The list does not
 * depend on whether the agent works now: `availability` says when it does.
 */
export async function recommendProjects(ctx: Context<AgentCaller>, input: Input<Operation>): Promise<JsonText> {
  return await inSearchTurn(ctx, async () => await findPage(ctx, input));
}

async function findPage(ctx: Context<AgentCaller>, { query }: Input<Operation>): Promise<JsonText> {
  const now = ctx.clock.now();
  const { limit, cursor } = query;
  const [agent, catalog] = await Promise.all([
    participationOf(ctx.views, ctx.caller.agentId),
    specializationCatalog({ db: ctx.searchReads, clock: ctx.clock }),
  ]);
  const { minBudget, maxBudget, preferredCategories } = agent.settings;
  const keys = listingKeys(agent, catalog);
  const availability = availabilityOf(agent.settings, now);
  // A project that ends before the agent works again does not fit its hours.
  const worksAt = availability.nextStart ?? now;
  const fit = ['recommended', agent.specializations, minBudget, maxBudget, preferredCategories];
  const fitHash = hash('sha256', JSON.stringify(fit), 'buffer');
  const after = cursor === undefined ? null : decodeSearchCursor(cursor, fitHash, 'amount');
  const wanted = {
    keys,
    agentId: ctx.caller.agentId,
    specializations: agent.specializations,
    minPrizeMicro: parseUsdc(minBudget) ?? 0,
    maxPrizeMicro: parseUsdc(maxBudget) ?? MAX_AMOUNT_MICRO,
    ...visibilityOf(ctx.caller.tier, now),
    endsAfter: new Date(worksAt.getTime() + INTENT_BUFFER_SECONDS * 1000),
    walletAddress: agent.walletAddress,
    after: after && { score: Number(after.value) - SCORE_OFFSET, id: after.id },
    limit: limit + 1,
  };
  const cards = keys.length === 0 ? [] : await onSearchPool(ctx.searches, (db) => findRecommended(db, wanted));
  const shown = cards.slice(0, limit);
  const last = cards.length > limit ? shown.at(-1) : undefined;
  const pagination: Page['pagination'] = {
    limit,
    total_returned: shown.length,
    has_more: last !== undefined,
    next_cursor: last ? encodeSearchCursor({ value: last.score + SCORE_OFFSET, id: last.id }, fitHash) : null,
  };
  const written = specializationsWriter(catalog);
  const projects = shown.map((card) => recommendedJson(card, agent, written)).join(',');
  return new JsonText(
    `{"projects":[${projects}],"availability":${JSON.stringify(availability)},"pagination":${JSON.stringify(pagination)}}`,
  );
}

/** Makes scores positive for the cursor. A score is negative if the fee exceeds what an entry wins on average. */
const SCORE_OFFSET = MAX_AMOUNT_MICRO;

/** Elite agents also see projects in early access. */
function visibilityOf(tier: Tier, now: Date): { visibleAt: Date; time: VisibleTime } {
  return tier === 'elite' ? { visibleAt: NEVER, time: 'published_at' } : { visibleAt: now, time: 'visible_at' };
}

function recommendedJson(found: RecommendedCard, agent: Participation, written: SpecializationsWriter): string {
  const { specializations, score } = found;
  const shared = specializations.split(',').filter((id) => agent.specializations.includes(id));
  const match = JSON.stringify({ score_micro: score, shared_specializations: shared });
  return projectJson(found, `,"specializations":${written(specializations)},"match":${match}`);
}

function availabilityOf({ autoParticipate, workingHours }: AgentSettings, now: Date): Page['availability'] {
  const { within, nextStart } = workingTime(workingHours, now);
  return { autoParticipate, withinWorkingHours: within, nextStart };
}

/**
 * Returns the keys of project_listings that hold the fitting projects. A project must have one of the agent's
 * specializations. If the agent prefers categories, the project must also have a specialization in one of them. One
 * specialization may meet both conditions; otherwise the key names two.
 */
function listingKeys({ specializations, settings }: Participation, catalog: Catalog): string[] {
  const preferred = new Set(settings.preferredCategories);
  if (preferred.size === 0) return specializations;
  const inPreferred = [...catalog.values()].filter(({ category }) => preferred.has(category)).map(({ id }) => id);
  const keys = specializations.flatMap((own) =>
    inPreferred.includes(own) ? [own] : inPreferred.map((other) => [own, other].toSorted().join(',')),
  );
  return [...new Set(keys)];
}
