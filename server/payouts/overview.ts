import { listOldest, listStates } from './overview-queries.ts';
import type { PayoutState, ProjectPayout } from './queries.ts';
import type { Queryable } from '../db/database.ts';

export type PayoutStatus = 'waiting_for_wallet' | 'held' | 'refused' | 'pending' | 'settled';

const SHOWN: Record<PayoutState, PayoutStatus> = {
  waiting: 'waiting_for_wallet',
  held: 'held',
  ready: 'pending',
  refused: 'refused',
  credited: 'pending',
  sending: 'pending',
  settled: 'settled',
};

/** Returns the state as agents and posters see it. */
export function payoutStatus(payout: { state: PayoutState }): PayoutStatus {
  return SHOWN[payout.state];
}

const WORST_FIRST: PayoutStatus[] = ['refused', 'waiting_for_wallet', 'held', 'pending', 'settled'];

/** Returns the status that is furthest from settled, or null without payouts. */
function worstStatus(payouts: { state: PayoutState }[]): PayoutStatus | null {
  const statuses = new Set(payouts.map(payoutStatus));
  return WORST_FIRST.find((status) => statuses.has(status)) ?? null;
}

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
