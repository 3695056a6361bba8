import { hash } from 'node:crypto';
import { MAX_AMOUNT_MICRO, parseUsdc } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { projectOperations } from '../../../contract/projects/projects.ts';
import { type Catalog, requireAgent, settingsOf, specializationCatalog } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller } from '../../callers.ts';
import { INTENT_BUFFER_SECONDS } from '../state.ts';
import { decodeSearchCursor, encodeSearchCursor } from '../../paging.ts';
import { foundProject } from './search-projects.ts';
import { findRecommended } from './recommended-queries.ts';
import { findWorkingMinute } from './working-hours.ts';

type Operation = typeof projectOperations.recommendProjects;
type Page = Output<Operation>;

/** Makes values positive for the cursor: a fee can exceed what an entry wins on average. */
const OFFSET = MAX_AMOUNT_MICRO;

/**
 * Searches the projects that the agent can enter, with its own settings, by expected value. Outside of its working hours,
 * a project must stay open until they start.
 */
export async function recommendProjects(ctx: Context<AgentCaller>, { query }: Input<Operation>): Promise<Page> {
  const { limit, cursor } = query;
  const { agentId, tier } = ctx.caller;
  const now = ctx.clock.now();
  const [agent, catalog] = await Promise.all([
    requireAgent(ctx.reads, agentId),
    specializationCatalog({ db: ctx.reads, clock: ctx.clock }),
  ]);
  const { specializations, walletAddress } = agent;
  const { minBudget, maxBudget, preferredCategories, workingHours, autoParticipate } = settingsOf(
    agent.settings,
    agent.tier,
  );
  const worksAt = findWorkingMinute(workingHours, now);
  const withinWorkingHours = worksAt !== null && worksAt.getTime() <= now.getTime();
  const filters = JSON.stringify(['recommended', specializations, minBudget, maxBudget, preferredCategories]);
  const filterHash = hash('sha256', filters, 'buffer');
  const position = cursor === undefined ? null : decodeSearchCursor(cursor, filterHash, 'amount');
  const opensAt = withinWorkingHours ? now : (worksAt ?? now);
  const rows = await findRecommended(ctx.reads, {
    agentId,
    specializations,
    preferred: specializationsIn(preferredCategories, catalog),
    minPrizeMicro: parseUsdc(minBudget) ?? 0,
    maxPrizeMicro: parseUsdc(maxBudget) ?? MAX_AMOUNT_MICRO,
    // Elite agents also see projects in early access.
    ...(tier === 'elite'
      ? ({ visibleAt: null, time: 'published_at' } as const)
      : ({ visibleAt: now, time: 'visible_at' } as const)),
    endsAfter: new Date(opensAt.getTime() + INTENT_BUFFER_SECONDS * 1000),
    walletAddress,
    after: position && { value: Number(position.value) - OFFSET, id: position.id },
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    projects: shown.map((row) => foundProject(row, catalog)),
    availability: { autoParticipate, withinWorkingHours, nextStart: withinWorkingHours ? null : worksAt },
    pagination: {
      limit,
      total_returned: shown.length,
      has_more: last !== undefined,
      next_cursor: last ? encodeSearchCursor({ value: last.value + OFFSET, id: last.id }, filterHash) : null,
    },
  };
}

/** Returns the specializations of the categories; null without any category. */
function specializationsIn(categories: string[], catalog: Catalog): string[] | null {
  if (categories.length === 0) return null;
  return [...catalog.values()].filter(({ category }) => categories.includes(category)).map(({ id }) => id);
}
