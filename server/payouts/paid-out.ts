import { sumPaidOut } from './paid-out-queries.ts';
import type { Queryable } from '../ports/database.ts';

/** Prizes and shares of these projects that have settled on chain. */
export async function paidOutMicro(db: Queryable, projectIds: string[]): Promise<number> {
  return projectIds.length === 0 ? 0 : await sumPaidOut(db, projectIds);
}
