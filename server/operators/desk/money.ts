import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import type { strayOperations } from '../../../contract/operator/strays.ts';
import type { Context } from '../../deps.ts';
import { paymentPage } from '../../payments/public.ts';
import { payoutPage, strayPage } from '../../payouts/public.ts';
import type { OperatorCaller } from '../../callers.ts';
import { partiesBy } from './parties.ts';
import { listRevenueRows } from './revenue-queries.ts';
import {
  findParties,
  findPartiesOfPayments,
  findPartiesOfWallets,
  projectIdsOf,
  submissionIdsOfAgent,
  submissionIdsOfProject,
} from './party-queries.ts';
import { snakeCased } from '../../snake-case.ts';

type Ctx = Context<OperatorCaller>;
type Money = typeof moneyOutOperations;
type ListStrays = typeof strayOperations.listStrays;
type Who = { project_id?: string | undefined; agent_id?: string | undefined; poster_id?: string | undefined };

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
  const { payments, ...end } = await paymentPage(reads, query, await subjectsOf(reads, query));
  const of = partiesBy(
    await findParties(
      reads,
      payments.map(({ id, kind, subject_id: subjectId }) => ({ id, kind, subjectId })),
    ),
  );
  return { payments: payments.map((payment) => ({ ...payment, parties: of(payment.id) })), ...end };
}

/** Lists payouts of all states, newest first, with the people behind them. */
export async function listPayouts(
  { reads }: Ctx,
  { query }: Input<Money['listPayouts']>,
): Promise<Output<Money['listPayouts']>> {
  const { payouts, ...end } = await payoutPage(reads, query, {
    projectIds: await projectsFor(reads, query),
    submissionIds: query.agent_id === undefined ? undefined : await submissionIdsOfAgent(reads, query.agent_id),
  });
  const of = partiesBy(
    await findParties(
      reads,
      payouts.map(({ id }) => ({ id, kind: 'payout' as const, subjectId: id })),
    ),
  );
  return { payouts: payouts.map((payout) => ({ ...payout, parties: of(payout.id) })), ...end };
}

/** Lists the entries of the account `revenue`, newest first, with the projects and the posters behind them. */
export async function listRevenue(
  { reads }: Ctx,
  { query }: Input<Money['listRevenue']>,
): Promise<Output<Money['listRevenue']>> {
  const { rows, end } = await listRevenueRows(reads, query);
  const projects = rows.flatMap(({ id, projectId }) => (projectId === null ? [] : [{ id, subjectId: projectId }]));
  const of = partiesBy(
    await findParties(
      reads,
      projects.map((each) => ({ ...each, kind: 'escrow' as const })),
    ),
  );
  const revenue = rows.map((row) => ({ ...snakeCased(row), parties: of(row.id) }));
  return { revenue, ...end };
}

/** Lists transfers to the treasury that belong to no payment. A wallet can show whose they are. */
export async function listStrays(ctx: Ctx, { query }: Input<ListStrays>): Promise<Output<ListStrays>> {
  const { reads } = ctx;
  const { strays, ...end } = await strayPage({ db: reads, network: ctx.network }, query);
  const claimed = strays.flatMap(({ payment_id: id }) => id ?? []);
  const sent = strays.flatMap(({ id, sender }) => (sender === null ? [] : [{ id, address: sender.toLowerCase() }]));
  const [ofPayments, ofWallets] = await Promise.all([
    findPartiesOfPayments(reads, claimed),
    findPartiesOfWallets(reads, sent),
  ]);
  const [ofPayment, ofWallet] = [partiesBy(ofPayments), partiesBy(ofWallets)];
  return {
    strays: strays.map((stray) => ({
      ...stray,
      parties: stray.payment_id === null ? ofWallet(stray.id) : ofPayment(stray.payment_id),
    })),
    ...end,
  };
}
