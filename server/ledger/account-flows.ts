import { sumFlows } from './queries.ts';
import type { Queryable } from '../ports/database.ts';

/** What is on an account, and what left it other than by a payment: what was booked as earned. */
export type AccountFlow = { balanceMicro: number; keptMicro: number };

/** Of a project's escrow or fees; one that never held anything has 0. */
export async function accountFlow(db: Queryable, account: string): Promise<AccountFlow> {
  return await sumFlows(db, account);
}
