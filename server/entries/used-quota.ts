import { DAILY_QUOTA } from '../agents/accounts/public.ts';
import type { AgentCaller } from '../ports/callers.ts';
import type { Queryable } from '../ports/database.ts';
import { countIntentsSince } from './queries.ts';
import { endOfUtcDay, quotaResetSeconds, startOfUtcDay } from './state.ts';

/** Returns the daily quota of the agent's tier, how much of it today's intents have used, and when it resets. */
export async function usedQuota(
  db: Queryable,
  { agentId, tier }: Pick<AgentCaller, 'agentId' | 'tier'>,
  now: Date,
): Promise<{ limit: number; used: number; resetSeconds: number; resetAt: Date }> {
  const resetSeconds = quotaResetSeconds(now);
  const resetAt = endOfUtcDay(now);
  const used = await countIntentsSince(db, agentId, startOfUtcDay(now));
  return { limit: DAILY_QUOTA[tier], used, resetSeconds, resetAt };
}
