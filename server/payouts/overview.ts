import { findUnsettledOf, listOldest, listStates, sumAwarded } from './overview-queries.ts';
import type { ProjectPayout } from './queries.ts';
import { type PayoutStatus, worstStatus } from './status.ts';
import type { Queryable } from '../ports/database.ts';

/** What is owed for a project: the worst state of all of it, and the oldest parts. */
export type PayoutOverview = { status: PayoutStatus | null; payouts: ProjectPayout[] };

/** Of several projects; none for a project for which nothing is owed. At most `most` payouts of each. */
export async function payoutOverviews(
  db: Queryable,
  projectIds: string[],
  most: number,
): Promise<Map<string, PayoutOverview>> {
  if (projectIds.length === 0) return new Map();
  const [rows, known] = await Promise.all([listOldest(db, projectIds, most), listStates(db, projectIds)]);
  return new Map(
    known.map(({ projectId, states }) => [
      projectId,
      {
        status: worstStatus(states.map((state) => ({ state }))),
        payouts: rows.filter((row) => row.projectId === projectId),
      },
    ]),
  );
}

/** Whether all that is owed for the project has settled, this payout taken as settled. */
export async function allSettledBut(db: Queryable, projectId: string, payoutId: string): Promise<boolean> {
  return !(await findUnsettledOf(db, projectId, payoutId));
}

/** All prizes and shares that were owed for the project. */
export async function awardedMicro(db: Queryable, projectId: string): Promise<number> {
  return await sumAwarded(db, projectId);
}
