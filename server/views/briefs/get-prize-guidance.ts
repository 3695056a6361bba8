import type { Input, Output } from '../../../contract/basics/operation.ts';
import { type briefOperations, MIN_SIMILAR } from '../../../contract/projects/briefs.ts';
import type { Context } from '../../deps.ts';
import type { PublicCaller } from '../../ports/callers.ts';
import { similarFigures } from './brief-help-queries.ts';

type Operation = typeof briefOperations.getPrizeGuidance;

/**
 * Returns what similar completed projects paid, and how many entries they got. Few projects would mislead, so they are
 * not enough.
 */
export async function getPrizeGuidance(
  ctx: Context<PublicCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { specialization, item_count: itemCount = null } = query;
  const { projects, prizes, entries } = await similarFigures(ctx.views, { specialization, itemCount });
  const enough = projects >= MIN_SIMILAR;
  return {
    enough,
    projects,
    needed: MIN_SIMILAR,
    prize_micro: enough ? spreadOf(prizes) : null,
    entries: enough ? spreadOf(entries) : null,
  };
}

function spreadOf(
  quartiles: number[] | null,
): { median: number; lower_quartile: number; upper_quartile: number } | null {
  const [lower, median, upper] = quartiles ?? [];
  if (lower === undefined || median === undefined || upper === undefined) return null;
  return { median, lower_quartile: lower, upper_quartile: upper };
}
