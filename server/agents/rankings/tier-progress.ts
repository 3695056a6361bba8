import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Tier } from '../../callers.ts';
import type { TierRule } from '../types.ts';
import type { TierCounts } from './tier-queries.ts';

/** The numbers of `raiseTiers`. */
const GOALS = {
  starter: { next: 'pro', wins: 10, earned: 500 },
  pro: { next: 'elite', wins: 50, earned: 2000 },
} as const;

/** Returns what counts toward the next tier, and what it needs; null for elite. */
export function tierProgress(tier: Tier, { wins, earnedMicro, posters }: TierCounts, { minPosters }: TierRule) {
  if (tier === 'elite') return null;
  const goal = GOALS[tier];
  return {
    next: goal.next,
    wins,
    wins_needed: goal.wins,
    earned: usdcNumber(earnedMicro),
    earned_needed: goal.earned,
    posters,
    posters_needed: minPosters,
  };
}
