import { payoutColumns, type PayoutState, type ProjectPayout } from './queries.ts';
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
function worstStatus(states: PayoutState[]): PayoutStatus | null {
  const statuses = new Set(states.map((state) => SHOWN[state]));
  return WORST_FIRST.find((status) => statuses.has(status)) ?? null;
}

/** The debts of a project: the state that is furthest from settled, and the first payouts. */
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
  const [rows, known] = await Promise.all([listFirst(db, projectIds, most), listStates(db, projectIds)]);
  return new Map(
    known.map(({ projectId, states }) => [
      projectId,
      {
        status: worstStatus(states),
        payouts: rows.filter((row) => row.projectId === projectId),
      },
    ]),
  );
}

/**
 * Lists payouts of each project, at most `most` per project: first those of the poster and the winner, then the oldest.
 * Index payouts_project, one range per project.
 */
async function listFirst(db: Queryable, projectIds: string[], most: number): Promise<ProjectPayout[]> {
  return await db<ProjectPayout[]>`
    select first.* from unnest(${projectIds}::uuid[]) as shown (shown_id) cross join lateral (
      select ${payoutColumns(db)} from payouts where project_id = shown_id
      order by (submission_id is null or kind = 'prize') desc, created_at, id limit ${most}
    ) first`;
}

/** Lists the distinct payout states of each project. Index payouts_project. */
async function listStates(
  db: Queryable,
  projectIds: string[],
): Promise<{ projectId: string; states: PayoutState[] }[]> {
  return await db<{ projectId: string; states: PayoutState[] }[]>`
    select project_id as "projectId", array_agg(distinct state) as states from payouts
    where project_id = any(${projectIds}) group by project_id`;
}

/** Whether the token refuses the winner of the project. Index payouts_prize. */
export async function hasRefusedPrize(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db`select 1 from payouts where project_id = ${projectId} and kind = 'prize' and state = 'refused'`;
  return rows.length > 0;
}

/**
 * Returns whether the project has another prize or share that can be paid and has not left it. A credited amount has left it.
 * A share that waits for a wallet, or whose wallet the token refuses, holds nobody. Index payouts_project.
 */
export async function hasOtherUnsettledAwards(db: Queryable, projectId: string, except: string): Promise<boolean> {
  const [row] = await db`
    select 1 from payouts
    where project_id = ${projectId} and kind in ('prize', 'share') and state not in ('settled', 'waiting', 'refused')
      and credited_at is null and id <> ${except} limit 1`;
  return row !== undefined;
}

/**
 * Returns the sum of these projects' prizes and shares that have settled on chain, in microdollars. Index
 * payouts_project.
 */
export async function paidTotalMicro(db: Queryable, projectIds: string[]): Promise<number> {
  if (projectIds.length === 0) return 0;
  const [row] = await db<[{ paidMicro: number }]>`
    select coalesce(sum(amount_micro), 0)::bigint as "paidMicro" from payouts
    where project_id = any(${projectIds}) and kind in ('prize', 'share') and state = 'settled'`;
  return row.paidMicro;
}
