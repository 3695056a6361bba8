import type { Queryable } from '../ports/database.ts';

/** By the index payouts_project. */
export async function sumPaidOut(db: Queryable, projectIds: string[]): Promise<number> {
  const [row] = await db<[{ paidMicro: number }]>`
    select coalesce(sum(amount_micro), 0)::bigint as "paidMicro" from payouts
    where project_id = any(${projectIds}) and kind in ('prize', 'share') and state = 'settled'`;
  return row.paidMicro;
}
