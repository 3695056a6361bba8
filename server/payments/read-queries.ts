import type { Queryable } from '../ports/database.ts';
import type { PaymentKind } from '../ports/payments.ts';

/** Index payments_live_subject. */
export async function listLiveSubjects(db: Queryable, kind: PaymentKind, subjectIds: string[]): Promise<string[]> {
  const rows = await db<{ subjectId: string }[]>`
    select subject_id as "subjectId" from payments
    where kind = ${kind} and subject_id = any(${subjectIds}) and state in ('settling', 'settled') and not late`;
  return rows.map(({ subjectId }) => subjectId);
}
