import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { listPaymentRows } from './queries.ts';
import type { Queryable } from '../db/database.ts';
import { snakeCased } from '../snake-case.ts';

type Operation = typeof moneyOutOperations.listPayments;

type Page = Omit<Output<Operation>, 'payments'> & { payments: Shown[] };
type Shown = Omit<Output<Operation>['payments'][number], 'parties'>;

/** Lists payments in and out, newest first. */
export async function paymentPage(
  db: Queryable,
  query: Omit<Input<Operation>['query'], 'project_id' | 'agent_id' | 'poster_id'>,
  subjectIds?: string[],
): Promise<Page> {
  const { rows, end } = await listPaymentRows(db, query, subjectIds);
  return { payments: rows.map(snakeCased), ...end };
}
