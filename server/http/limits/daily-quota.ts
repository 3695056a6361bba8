import { usedQuota } from '../../entries/public.ts';
import type { Deps } from '../../deps.ts';
import type { LimitState } from './limits.ts';
import type { CountedRequest } from './limits-of-request.ts';

const DAY_SECONDS = 86_400;

/**
 * Adds the daily quota of the agent's tier to the limits that the answer reports. Never throws: without the database, the
 * answer says so itself.
 */
export async function reportQuota(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { spec, caller, states }: Pick<CountedRequest, 'spec' | 'caller' | 'states'>,
): Promise<void> {
  if (spec.dailyQuota === undefined || caller.kind !== 'agent') return;
  const now = clock.now();
  try {
    const { limit, used, resetSeconds, resetAt } = await usedQuota(db, caller, now);
    const state: LimitState = {
      name: 'dailyProjects',
      limit,
      remaining: Math.max(0, limit - used),
      windowSeconds: DAY_SECONDS,
      resetSeconds,
      resetAt: resetAt.getTime() / 1000,
    };
    states.push(spec.dailyQuota === 'shown' ? { ...state, shownOnly: true } : state);
  } catch {
    // The request itself fails for the same reason, and reports it.
  }
}
