import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { collectPayment, hasLivePayment } from '../payments/public.ts';
import { requireMayPublish } from '../posters/public.ts';
import { showOwnProject } from './own-view.ts';
import { notPublishable } from './prize.ts';
import { findOwn } from './queries.ts';
import type { OwnProjectRow } from './rows.ts';
import { forgetSearches } from '../kept.ts';
import { projectNotFound, requireEntryFee, requireTimeToOpen } from './state.ts';
import type { PosterCaller } from '../callers.ts';
import type { SettlementReceipt, PaymentInRequest } from '../payments/types.ts';

type Operation = typeof posterOperations.publishProject;
type Published = { data: Output<Operation>; receipt: SettlementReceipt | null };

/**
 * Takes the prize into escrow once and opens the project. Publishing an open project again returns the same project.
 */
export async function publishProject(
  ctx: Context<PosterCaller>,
  { params, payment }: Input<Operation> & { payment: PaymentInRequest },
): Promise<Published> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  const project = await findOwn(ctx.db, own);
  if (!project) throw projectNotFound();
  // A client that sends a payment for an open project may have lost the receipt. `collectPayment` returns it again.
  if (project.status === 'open' && payment === null) return await published(ctx, project, null);
  if (project.status !== 'draft' && project.status !== 'open') throw notPublishable(project.status);
  await requireReady(ctx, project);
  const order = { ...own, prizeMicro: project.prizeMicro };
  const { receipt } = await collectPayment(ctx, ctx.payments.subjects.escrow, { order, payment });
  forgetSearches(ctx.db);
  const opened = await findOwn(ctx.db, own);
  if (!opened) throw projectNotFound();
  return await published(ctx, opened, receipt);
}

/**
 * Checks that the poster may publish the draft, its entry fee, and that it can still open in time. Skips both while its
 * prize is being paid, because only the outcome of that payment decides.
 */
async function requireReady(ctx: Context<PosterCaller>, project: OwnProjectRow): Promise<void> {
  if (project.status !== 'draft' || (await hasLivePayment(ctx.db, { kind: 'escrow', subjectId: project.id }))) return;
  await requireMayPublish(ctx.db, ctx.caller.posterId);
  requireEntryFee(project, ctx.config);
  requireTimeToOpen({ autoSelectDeadline: project.deadline }, ctx.clock.now(), ctx.config);
}

async function published(
  ctx: Context<PosterCaller>,
  row: OwnProjectRow,
  receipt: SettlementReceipt | null,
): Promise<Published> {
  const project = await showOwnProject(ctx, row);
  return { data: { message: 'The project is open.', project }, receipt };
}
