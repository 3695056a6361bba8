import { findLivePayment } from './queries.ts';
import type { Queryable } from '../ports/database.ts';
import type { PaymentKind } from '../ports/payments.ts';

/** Whether the subject is paid for, or a payment for it is not decided yet. Its owner may not change it meanwhile. */
export async function hasLivePayment(
  db: Queryable,
  subject: { kind: PaymentKind; subjectId: string },
): Promise<boolean> {
  const { live } = await findLivePayment(db, subject, null);
  return live !== null;
}
