import type { Standing } from '../accounts/status.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/** A stored standing. `since` is when the agent stopped being active. */
export type DatedStanding = Standing & { since: Date | null };

export async function updateStanding(
  tx: Tx,
  agentId: string,
  { status, reason, until, since }: DatedStanding,
): Promise<void> {
  await tx`
    update agents
    set status = ${status}, status_reason = ${reason}, status_until = ${until}, status_since = ${since}
    where id = ${agentId}`;
}

/** Locks expired restrictions that no other process has locked, oldest first. Index agents_status_until. */
export async function lockEndedStandings(
  tx: Tx,
  { now, limit }: { now: Date; limit: number },
): Promise<(Standing & { agentId: string })[]> {
  return await tx<(Standing & { agentId: string })[]>`
    select id as "agentId", status, status_reason as reason, status_until as until from agents
    where status_until is not null and status_until <= ${now}
    order by status_until limit ${limit} for no key update skip locked`;
}

/** Records a UTC day once, and deletes days before `since`. */
export async function insertFailedPaymentDay(
  tx: Tx,
  { agentId, day, since }: { agentId: string; day: string; since: string },
): Promise<void> {
  await tx`delete from failed_payment_days where agent_id = ${agentId} and day < ${since}`;
  await tx`insert into failed_payment_days (agent_id, day) values (${agentId}, ${day}) on conflict do nothing`;
}

/** Newest first, `YYYY-MM-DD`. */
export async function listFailedPaymentDays(db: Queryable, agentId: string, since: string): Promise<string[]> {
  const rows = await db<{ day: string }[]>`
    select day::text as day from failed_payment_days where agent_id = ${agentId} and day >= ${since} order by day desc`;
  return rows.map(({ day }) => day);
}
