import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import type { strayOperations } from '../../../contract/operator/strays.ts';
import type { Context } from '../../deps.ts';
import { listPaymentRows } from '../../payments/public.ts';
import { listPayoutRows, strayPage } from '../../payouts/public.ts';
import { readNewest } from '../../paging.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';
import {
  findParties,
  findPartiesOfStrays,
  type MoneySubject,
  type Parties,
  partiesBy,
  projectIdsOf,
  submissionIdsOfAgent,
  submissionIdsOfProject,
} from './party-queries.ts';
import { snakeCased } from '../../snake-case.ts';

type Ctx = Context<OperatorCaller>;
type Money = typeof moneyOutOperations;
type ListStrays = typeof strayOperations.listStrays;
type Who = { project_id?: string | undefined; agent_id?: string | undefined; poster_id?: string | undefined };

/** Adds the people behind rows of money. */
async function withParties<Row extends { id: string }>(
  reads: Ctx['reads'],
  rows: Row[],
  subjectOf: (row: Row) => Omit<MoneySubject, 'id'> | null,
): Promise<(Row & { parties: Parties })[]> {
  const subjects = rows.flatMap((row) => {
    const subject = subjectOf(row);
    return subject === null ? [] : [{ id: row.id, ...subject }];
  });
  const of = partiesBy(await findParties(reads, subjects));
  return rows.map((row) => ({ ...row, parties: of(row.id) }));
}

/** Returns what a project, an agent, or a poster paid for; undefined for everyone's payments. */
async function subjectsOf(reads: Ctx['reads'], { project_id: project, agent_id: agent, poster_id: poster }: Who) {
  if (project === undefined && agent === undefined && poster === undefined) return undefined;
  return [
    ...(project === undefined ? [] : [project, ...(await submissionIdsOfProject(reads, project))]),
    ...(agent === undefined ? [] : await submissionIdsOfAgent(reads, agent)),
    ...(poster === undefined ? [] : await projectIdsOf(reads, poster)),
  ];
}

async function projectsFor(reads: Ctx['reads'], { poster_id: poster, project_id: project }: Who) {
  if (poster === undefined) return project === undefined ? undefined : [project];
  const ids = await projectIdsOf(reads, poster);
  return project === undefined ? ids : ids.filter((id) => id === project);
}

/** Lists payments in and out, newest first, with the people behind them. */
export async function listPayments(
  { reads }: Ctx,
  { query }: Input<Money['listPayments']>,
): Promise<Output<Money['listPayments']>> {
  const { rows, end } = await listPaymentRows(reads, query, await subjectsOf(reads, query));
  const payments = await withParties(reads, rows.map(snakeCased), ({ kind, subject_id: subjectId }) => ({
    kind,
    subjectId,
  }));
  return { payments, ...end };
}

/** Lists payouts of all states, newest first, with the people behind them. */
export async function listPayouts(
  { reads }: Ctx,
  { query }: Input<Money['listPayouts']>,
): Promise<Output<Money['listPayouts']>> {
  const { rows, end } = await listPayoutRows(reads, query, {
    projectIds: await projectsFor(reads, query),
    submissionIds: query.agent_id === undefined ? undefined : await submissionIdsOfAgent(reads, query.agent_id),
  });
  const payouts = await withParties(reads, rows.map(snakeCased), ({ id }) => ({ kind: 'payout', subjectId: id }));
  return { payouts, ...end };
}

/** Lists the entries of the account `revenue`, newest first, with the projects and the posters behind them. */
export async function listRevenue(
  { reads }: Ctx,
  { query }: Input<Money['listRevenue']>,
): Promise<Output<Money['listRevenue']>> {
  const { rows, end } = await listRevenueRows(reads, query);
  const revenue = await withParties(reads, rows, ({ project_id: subjectId }) =>
    subjectId === null ? null : { kind: 'escrow', subjectId },
  );
  return { revenue, ...end };
}

/** A withdrawal has no project. */
type RevenueRow = Omit<Output<Money['listRevenue']>['revenue'][number], 'parties'> & { project_id: string | null };

/** Newest first. The account of the other side names the project. Index ledger_entries_account. */
async function listRevenueRows(db: Queryable, query: Input<Money['listRevenue']>['query']) {
  return await readNewest<RevenueRow>(db, query, {
    rows: db`
      select id, kind, project_id, amount_micro, created_at from (
        select j.id, -e.amount_micro as amount_micro, j.created_at,
          (select split_part(o.account_id, ':', 2)::uuid from ledger_entries o
            where o.journal_id = j.id and (o.account_id like 'escrow:%' or o.account_id like 'fees:%') limit 1) as project_id,
          case when j.kind in ('platform_fee', 'fee_kept') then j.kind when j.kind = 'completion' then 'entry_fees'
            when j.payment_id is not null then 'withdrawal' else 'other' end as kind
        from ledger_entries e join ledger_journals j on j.id = e.journal_id where e.account_id = 'revenue'
      ) revenue
      where true ${query.state === undefined ? db`` : db`and kind = any(${query.state})`}`,
    at: db`date_trunc('milliseconds', created_at)`,
    id: db`id`,
    amount: db`abs(amount_micro)`,
    cursorOf: ({ created_at: at, id }) => ({ at, id }),
  });
}

/** Lists transfers to the treasury that belong to no payment. A wallet can show whose they are. */
export async function listStrays(ctx: Ctx, { query }: Input<ListStrays>): Promise<Output<ListStrays>> {
  const { reads } = ctx;
  const { strays, ...end } = await strayPage({ db: reads, network: ctx.network }, query);
  const ids = strays.map(({ id }) => id);
  const of = partiesBy(await findPartiesOfStrays(reads, ids));
  return { strays: strays.map((stray) => ({ ...stray, parties: of(stray.id) })), ...end };
}
