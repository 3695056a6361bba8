import { listLiveSubjects } from './read-queries.ts';
import type { Queryable } from '../ports/database.ts';
import type { PaymentKind } from '../ports/payments.ts';

/** Which of these are paid for, or have a payment that is not decided yet. */
export async function liveSubjects(db: Queryable, kind: PaymentKind, subjectIds: string[]): Promise<string[]> {
  return subjectIds.length === 0 ? [] : await listLiveSubjects(db, kind, subjectIds);
}
