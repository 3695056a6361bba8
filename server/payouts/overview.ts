import { listOldest, listStates } from './overview-queries.ts';
import type { ProjectPayout } from './queries.ts';
import { type PayoutStatus, worstStatus } from './status.ts';
import type { Queryable } from '../ports/database.ts';

/** The debts of a project: the state that is furthest from settled, and the oldest payouts. */
export type PayoutOverview = { status: PayoutStatus | null; payouts: ProjectPayout[] };

/**
 * Returns the overviews of several projects, with at most `most` payouts each. A project without payouts is missing
 * from the map.
 */
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
