import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import type { strayOperations } from '../../../contract/operator/strays.ts';
import type { Context } from '../../deps.ts';
import { listPaymentRows } from '../../payments/public.ts';
import { listPayoutRows, strayPage } from '../../payouts/public.ts';
import type { OperatorCaller } from '../../callers.ts';
import { listRevenueRows } from './revenue-queries.ts';
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
  const revenue = await withParties(reads, rows, ({ projectId }) =>
    projectId === null ? null : { kind: 'escrow', subjectId: projectId },
  );
  return { revenue: revenue.map((row) => snakeCased(row)), ...end };
}

/** Lists transfers to the treasury that belong to no payment. A wallet can show whose they are. */
export async function listStrays(ctx: Ctx, { query }: Input<ListStrays>): Promise<Output<ListStrays>> {
  const { reads } = ctx;
  const { strays, ...end } = await strayPage({ db: reads, network: ctx.network }, query);
  const ids = strays.map(({ id }) => id);
  const of = partiesBy(await findPartiesOfStrays(reads, ids));
  return { strays: strays.map((stray) => ({ ...stray, parties: of(stray.id) })), ...end };
}
