import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { manifestOperations } from '../../contract/projects/manifest.ts';
import type { Context } from '../deps.ts';
import { submissionNotFound } from '../entries/public.ts';
import type { AgentCaller } from '../callers.ts';
import { deliveryManifest } from './delivery-manifest.ts';
import { findProjectOf } from './manifest-queries.ts';

type Operation = typeof manifestOperations.getManifest;

/** Returns the delivery manifest of the agent's winning submission. */
export async function getManifest(ctx: Context<AgentCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const { submission_id: submissionId } = params;
  const projectId = await findProjectOf(ctx.reads, { submissionId, agentId: ctx.caller.agentId });
  if (projectId === null) throw submissionNotFound();
  const manifest = await deliveryManifest(ctx, { projectId, submissionId });
  if (manifest === null)
    throw new DomainError('NOT_AWARDED', 'This submission has not won, or its prize is not settled yet.');
  return { manifest };
}
