import type { Queryable } from '../ports/database.ts';

export type UndecidedFigure = { kind: string; state: 'settling' | 'failed'; count: number; oldestAt: Date };

/** Settling, and failed ones that can still execute. Index payments_sweep. */
export async function countUndecided(db: Queryable): Promise<UndecidedFigure[]> {
  return await db<UndecidedFigure[]>`
    select kind, state, count(*) as count, min(created_at) as "oldestAt" from payments
    where state = 'settling' or (state = 'failed' and watched)
    group by kind, state`;
}
