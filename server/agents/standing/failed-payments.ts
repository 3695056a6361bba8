import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { changeStanding } from './change-standing.ts';
import { forgetKeysOf } from '../accounts/locks.ts';
import { insertFailedPaymentDay, listFailedPaymentDays } from './queries.ts';

const DAY_MS = 86_400_000;
const LIMITED_MS = 24 * 3_600_000;
/** Today and the six days before it. */
const WITHIN_DAYS = 7;
const LIMIT_DAYS = 3;
const REASON = `The limit of failed payments was reached on ${LIMIT_DAYS} days within ${WITHIN_DAYS} days.`;

/** Returns the first UTC day that counts, as `YYYY-MM-DD`. */
export function firstCountedDay(now: Date): string {
  return utcDay(new Date(now.getTime() - (WITHIN_DAYS - 1) * DAY_MS));
}

/**
 * Records that an agent has used up its hourly limit of failed payments. On the third such day within 7 days, an active
 * agent is limited for 24 hours.
 *
 * A standing that the operator or this rule has already set does not change.
 */
export async function recordFailedPaymentLimit(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'knownKeys'>,
  agentId: string,
): Promise<void> {
  const now = deps.clock.now();
  const since = firstCountedDay(now);
  const until = new Date(now.getTime() + LIMITED_MS);
  const changed = await withTransaction(deps.db, async (tx) => {
    let limited = false;
    await insertFailedPaymentDay(tx, { agentId, day: utcDay(now), since });
    const days = await listFailedPaymentDays(tx, agentId, since);
    if (days.length < LIMIT_DAYS) return false;
    await changeStanding(deps, tx, { agentId, actor: 'system', reason: REASON, at: now }, (current) => {
      limited = current.status === 'active';
      return limited ? { status: 'limited', until } : null;
    });
    return limited;
  });
  if (changed) await forgetKeysOf(deps, agentId);
}

function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
