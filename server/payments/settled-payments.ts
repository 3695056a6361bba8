import { listSettled, type SettledMoney } from './queries.ts';
import type { Queryable } from '../ports/database.ts';
import type { PaymentKind } from '../ports/payments.ts';

export type { SettledMoney };

/** The settled payments that count for these subjects, oldest first. Index payments_live_subject. */
export async function settledPaymentsOf(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
): Promise<SettledMoney[]> {
  return await listSettled(db, kind, subjectIds);
}
