import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { listPayoutRows } from './queries.ts';
import type { Queryable } from '../db/database.ts';
import { snakeCased } from '../snake-case.ts';

type Operation = typeof moneyOutOperations.listPayouts;

type Page = Omit<Output<Operation>, 'payouts'> & { payouts: ShownPayout[] };
export type ShownPayout = Omit<Output<Operation>['payouts'][number], 'parties'>;

/** Lists payouts of all states, newest first. */
export async function payoutPage(
  db: Queryable,
  query: Omit<Input<Operation>['query'], 'project_id' | 'poster_id' | 'agent_id'>,
  of: { projectIds: string[] | undefined; submissionIds: string[] | undefined },
): Promise<Page> {
  const { rows, end } = await listPayoutRows(db, query, of);
  return { payouts: rows.map(snakeCased), ...end };
}
