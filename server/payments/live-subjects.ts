import type { Queryable } from '../deps.ts';
import { listLiveSubjects } from './live-queries.ts';
import type { PaymentKind } from '../x402/quote.ts';

/** Which of these are paid for, or have a payment that is not decided yet. */
export async function liveSubjects(db: Queryable, kind: PaymentKind, subjectIds: string[]): Promise<string[]> {
  return subjectIds.length === 0 ? [] : await listLiveSubjects(db, kind, subjectIds);
}
