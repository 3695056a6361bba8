import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { collectPayment, hasLivePayment } from '../payments/public.ts';
import { requireMayPublish } from '../posters/public.ts';
import { showOwnProject } from './own-view.ts';
import { notPublishable } from './prize.ts';
import { requireProject } from './locks.ts';
import type { ProjectRow } from './rows.ts';
import { forgetSearches } from '../kept.ts';
import { requireEntryFee, requireTimeToOpen } from './state.ts';
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
  const project = await requireProject(ctx.db, own);
  // A client that sends a payment for an open project may have lost the receipt. `collectPayment` returns it again.
  if (project.status === 'open' && payment === null) return await published(ctx, project, null);
  if (project.status !== 'draft' && project.status !== 'open') throw notPublishable(project.status);
  await requireReady(ctx, project);
  const order = { ...own, prizeMicro: project.prizeMicro };
  const { receipt } = await collectPayment(ctx, ctx.payments.subjects.escrow, { order, payment });
  forgetSearches(ctx.db);
  return await published(ctx, await requireProject(ctx.db, own), receipt);
}

/**
 * Checks that the poster may publish the draft, its entry fee, and that it can still open in time. Skips both while its
 * prize is being paid, because only the outcome of that payment decides.
 */
async function requireReady(ctx: Context<PosterCaller>, project: ProjectRow): Promise<void> {
  if (project.status !== 'draft' || (await hasLivePayment(ctx.db, { kind: 'escrow', subjectId: project.id }))) return;
  await requireMayPublish(ctx.db, ctx.caller.posterId);
  requireEntryFee(project, ctx.config);
  requireTimeToOpen(project, ctx.clock.now(), ctx.config);
}

async function published(
  ctx: Context<PosterCaller>,
  row: ProjectRow,
  receipt: SettlementReceipt | null,
): Promise<Published> {
  const project = await showOwnProject(ctx, row);
  return { data: { message: 'The project is open.', project }, receipt };
}
