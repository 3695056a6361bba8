import type { Queryable } from '../deps.ts';
import { listSettled, type SettledMoney } from './queries.ts';
import type { PaymentKind } from '../x402/quote.ts';

export type { SettledMoney };

/** The settled payments that count for these subjects, oldest first. Index payments_live_subject. */
export async function settledPaymentsOf(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
): Promise<SettledMoney[]> {
  return await listSettled(db, kind, subjectIds);
}
