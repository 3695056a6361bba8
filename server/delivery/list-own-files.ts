import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../contract/projects/delivery.ts';
import type { Context } from '../deps.ts';
import { submissionNotFound } from '../entries/public.ts';
import type { AgentCaller } from '../callers.ts';
import { findOwnEntry, listOriginals } from './delivery-queries.ts';
import { grantOriginals } from './grant.ts';
import { previewsOf } from './previews.ts';

type Operation = typeof deliveryOperations.listOwnFiles;

/** Returns an agent's own files, from the confirmation on and in every state of the project. */
export async function listOwnFiles(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { submission_id: submissionId } = params;
  const { agentId } = ctx.caller;
  const entry = await findOwnEntry(ctx.reads, { submissionId, agentId });
  if (!entry) throw submissionNotFound();
  const files = await listOriginals(ctx.reads, submissionId);
  if (files.length === 0) throw new DomainError('FILE_NOT_FOUND', 'No file of this submission is confirmed.');
  const { projectId } = entry;
  return {
    submission_id: submissionId,
    ...(await grantOriginals(ctx, { actor: `agent:${agentId}`, projectId, submissionId, files })),
    previews: previewsOf(ctx, files),
  };
}
