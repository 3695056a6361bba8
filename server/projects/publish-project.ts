import type { Input, Output } from '../../contract/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { collectPayment, hasLivePayment } from '../payments/public.ts';
import { showOwnProject } from './own-view.ts';
import { findOwn, lockOwn } from './queries.ts';
import type { OwnProjectRow } from './rows.ts';
import { forgetSearches } from './search-cache.ts';
import { projectNotFound, requireTimeToOpen, stateConflict } from './state.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';
import type { SettlementReceipt, PaymentInRequest, PaymentQuote } from '../ports/payments.ts';

type Operation = typeof posterOperations.publishProject;
type Published = { data: Output<Operation>; receipt: SettlementReceipt | null };

/** Takes the prize into escrow, once, and opens the project. Publishing an open project again answers the same. */
export async function publishProject(
  ctx: Context<PosterCaller>,
  { params, payment }: Input<Operation> & { payment: PaymentInRequest },
): Promise<Published> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  const project = await findOwn(ctx.db, own);
  if (!project) throw projectNotFound();
  // With a payment in hand, an open project answers with the receipt of its own: the client may have lost it.
  if (project.status === 'open' && payment === null) return await published(ctx, project, null);
  if (project.status !== 'draft' && project.status !== 'open') throw notPublishable(project);
  await requireTime(ctx, project);
  const { receipt } = await collectPayment(ctx, prizeQuote(ctx, project), payment, {
    claim: (tx) => requireUnchanged(ctx, tx, project),
  });
  forgetSearches(ctx.db);
  const opened = await findOwn(ctx.db, own);
  if (!opened) throw projectNotFound();
  return await published(ctx, opened, receipt);
}

// Not for a prize that is being paid already: its outcome alone decides.
async function requireTime(ctx: Context<PosterCaller>, project: OwnProjectRow): Promise<void> {
  if (project.status !== 'draft' || (await hasLivePayment(ctx.db, { kind: 'escrow', subjectId: project.id }))) return;
  requireTimeToOpen({ autoSelectDeadline: project.deadline }, ctx.clock.now(), ctx.config.minOpenSeconds);
}

function prizeQuote({ network, payTo, publicUrl }: Context<PosterCaller>, project: OwnProjectRow): PaymentQuote {
  return {
    kind: 'escrow',
    subjectId: project.id,
    network: network.id,
    asset: network.usdc.address.toLowerCase(),
    payTo,
    amountMicro: project.prizeMicro,
    resourceUrl: `${publicUrl}/api/v1/posters/me/projects/${project.id}/publish`,
    description: `Prize of project ${project.id}`,
  };
}

/** In the transaction that claims the payment: what was quoted is still what would open. */
async function requireUnchanged(ctx: Context<PosterCaller>, tx: Tx, quoted: OwnProjectRow): Promise<void> {
  const project = await lockOwn(tx, { projectId: quoted.id, posterId: quoted.posterId });
  if (!project) throw projectNotFound();
  // Another payment opened it meanwhile: the claim finds that one, and nothing more is charged.
  if (project.status === 'open') return;
  if (project.status !== 'draft') throw notPublishable(project);
  if (project.prizeMicro !== quoted.prizeMicro) {
    throw stateConflict(project.status, 'its prize was changed meanwhile, and nothing was charged; publish it again');
  }
  requireTimeToOpen({ autoSelectDeadline: project.deadline }, ctx.clock.now(), ctx.config.minOpenSeconds);
}

function notPublishable({ status }: OwnProjectRow) {
  return stateConflict(status, 'only a draft can be published');
}

async function published(
  ctx: Context<PosterCaller>,
  row: OwnProjectRow,
  receipt: SettlementReceipt | null,
): Promise<Published> {
  const project = await showOwnProject(ctx, row);
  return { data: { message: 'The project is open.', project }, receipt };
}
