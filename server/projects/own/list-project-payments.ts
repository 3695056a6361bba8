import type { Cursor } from '../../paging.ts';
import type { SettledMoney } from '../../payments/public.ts';
import { listSettledPage, sumSettled } from './project-payment-queries.ts';
import type { Queryable } from '../../db/database.ts';
import type { PaymentKind } from '../../payments/types.ts';

type Page = { after: Cursor; limit: number };

/** Returns a page of the subjects' settled payments, in the order of settlement, and the sum of all of them. */
export async function settledPage(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
  page: Page,
): Promise<{ rows: SettledMoney[]; count: number; sumMicro: number }> {
  const [rows, { count, micro }] = await Promise.all([
    listSettledPage(db, kind, subjectIds, page),
    sumSettled(db, kind, subjectIds),
  ]);
  return { rows, count, sumMicro: micro };
}
