import type { Input, Output } from '../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../contract/projects/delivery.ts';
import { actorOf } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { submissionNotFound } from '../entries/public.ts';
import type { OperatorCaller } from '../callers.ts';
import { projectNotFound } from '../projects/public.ts';
import { findDeliverable, listOriginals } from './delivery-queries.ts';
import { grantOriginals } from './grant.ts';

type Operation = typeof deliveryOperations.openFilesAsOperator;

/** Returns URLs of any entry's originals, for a dispute. The audit trail keeps the reason. */
export async function openFilesAsOperator(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const entry = await findDeliverable(ctx.reads, { projectId, submissionId });
  if (!entry) throw projectNotFound();
  if (entry.submissionId === null) throw submissionNotFound();
  const files = await listOriginals(ctx.reads, submissionId);
  const { reason } = body;
  const originals = await grantOriginals(ctx, { actor: actorOf(ctx.caller), reason, projectId, submissionId, files });
  return { message: 'The audit trail records each download.', submission_id: submissionId, ...originals };
}
