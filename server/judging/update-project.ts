import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { changeProject } from '../projects/public.ts';
import { liveSubjects } from '../payments/public.ts';
import { agentsIn, inspectionsWait, hasConfirmedEntry, submissionIdsOf } from '../entries/public.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof posterOperations.updateProject;

/** Changes a draft, or what an open project may still change before and after agents come. */
export async function updateProject(ctx: Context<PosterCaller>, input: Input<Operation>): Promise<Output<Operation>> {
  return await changeProject(ctx, input, {
    isEntered,
    hasIntent: async (tx, projectId) => (await agentsIn(tx, projectId)).length > 0,
  });
}

/**
 * Returns whether somebody has paid to enter the project, is paying, has a confirmed entry, or has requested a
 * confirmation. The claim of a payment and the request of a confirmation lock the project too, so none that this check
 * does not see can come later in the transaction.
 */
export async function isEntered(tx: Tx, projectId: string, at: Date): Promise<boolean> {
  const paid = await liveSubjects(tx, 'entry_fee', await submissionIdsOf(tx, projectId));
  return paid.length > 0 || (await hasConfirmedEntry(tx, projectId)) || (await inspectionsWait(tx, projectId, at));
}
