import type { z } from 'zod';
import type { dailyQuota } from '../../contract/basics/quota.ts';
import { DAILY_QUOTA } from '../agents/public.ts';
import type { AgentCaller } from '../callers.ts';
import type { Queryable } from '../db/database.ts';
import { countIntentsSince } from './queries.ts';
import { endOfUtcDay, quotaResetSeconds, startOfUtcDay } from './state.ts';

export type UsedQuota = { limit: number; used: number; resetSeconds: number; resetAt: Date };

/** Returns the daily quota of the agent's tier, how much of it today's intents have used, and when it resets. */
export async function usedQuota(
  db: Queryable,
  { agentId, tier }: Pick<AgentCaller, 'agentId' | 'tier'>,
  now: Date,
): Promise<UsedQuota> {
  const resetSeconds = quotaResetSeconds(now);
  const resetAt = endOfUtcDay(now);
  const used = await countIntentsSince(db, agentId, startOfUtcDay(now));
  return { limit: DAILY_QUOTA[tier], used, resetSeconds, resetAt };
}

/** Returns the quota as answers show it. */
export function shownQuota({ limit, used, resetAt }: UsedQuota): z.input<typeof dailyQuota> {
  return { limit, used, left: Math.max(0, limit - used), resets_at: resetAt };
}
