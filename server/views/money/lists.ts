import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import type { strayOperations } from '../../../contract/operator/strays.ts';
import type { Context } from '../../deps.ts';
import { paymentPage } from '../../payments/public.ts';
import { payoutPage, strayPage } from '../../payouts/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { partiesBy } from './parties.ts';
import {
  findParties,
  findPartiesOfPayments,
  findPartiesOfWallets,
  projectIdsOf,
  submissionIdsOfAgent,
} from './party-queries.ts';

type Ctx = Context<OperatorCaller>;
type Money = typeof moneyOutOperations;
type ListStrays = typeof strayOperations.listStrays;
type Who = { agent_id?: string | undefined; poster_id?: string | undefined };

/** Returns what an agent or a poster paid for; undefined for everyone's payments. */
async function subjectsOf(views: Ctx['views'], { agent_id: agent, poster_id: poster }: Who) {
  if (agent === undefined && poster === undefined) return undefined;
  return [
    ...(agent === undefined ? [] : await submissionIdsOfAgent(views, agent)),
    ...(poster === undefined ? [] : await projectIdsOf(views, poster)),
  ];
}

async function projectsFor(
  views: Ctx['views'],
  { poster_id: poster, project_id: project }: Who & { project_id?: string | undefined },
) {
  if (poster === undefined) return project === undefined ? undefined : [project];
  const ids = await projectIdsOf(views, poster);
  return project === undefined ? ids : ids.filter((id) => id === project);
}

/** Lists payments in and out, newest first, with the people behind them. */
export async function listPayments(
  { views }: Ctx,
  { query }: Input<Money['listPayments']>,
): Promise<Output<Money['listPayments']>> {
  const { payments, ...end } = await paymentPage(views, query, await subjectsOf(views, query));
  const of = partiesBy(
    await findParties(
      views,
      payments.map(({ id, kind, subject_id: subjectId }) => ({ id, kind, subjectId })),
    ),
  );
  return { payments: payments.map((payment) => ({ ...payment, parties: of(payment.id) })), ...end };
}

/** Lists payouts of all states, newest first, with the people behind them. */
export async function listPayouts(
  { views }: Ctx,
  { query }: Input<Money['listPayouts']>,
): Promise<Output<Money['listPayouts']>> {
  const { payouts, ...end } = await payoutPage(views, query, {
    projectIds: await projectsFor(views, query),
    submissionIds: query.agent_id === undefined ? undefined : await submissionIdsOfAgent(views, query.agent_id),
  });
  const of = partiesBy(
    await findParties(
      views,
      payouts.map(({ id }) => ({ id, kind: 'payout' as const, subjectId: id })),
    ),
  );
  return { payouts: payouts.map((payout) => ({ ...payout, parties: of(payout.id) })), ...end };
}

/** Lists transfers to the treasury that belong to no payment. A wallet can show whose they are. */
export async function listStrays(ctx: Ctx, { query }: Input<ListStrays>): Promise<Output<ListStrays>> {
  const { views } = ctx;
  const { strays, ...end } = await strayPage({ db: views, network: ctx.network }, query);
  const claimed = strays.flatMap(({ payment_id: id }) => id ?? []);
  const sent = strays.flatMap(({ id, sender }) => (sender === null ? [] : [{ id, address: sender.toLowerCase() }]));
  const [ofPayments, ofWallets] = await Promise.all([
    findPartiesOfPayments(views, claimed),
    findPartiesOfWallets(views, sent),
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
