import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorOperations } from '../../contract/operator/operator.ts';
import type { Context } from '../deps.ts';
import { lockProject, stateConflict } from '../projects/public.ts';
import { lockEntry } from '../entries/public.ts';
import { award } from './ends/award.ts';
import { decideProject } from './ends/decide.ts';
import { endForOperator } from './end-for-operator.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof operatorOperations.awardProject;
type Choice = { projectId: string; submissionId: string; reason: string };

/** Awards the prize to one entry in place of the poster. The same award again succeeds. */
export async function awardProject(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const choice = { projectId: params.project_id, submissionId: body.submission_id, reason: body.reason };
  return await decideProject(ctx, choice.projectId, async (tx) => {
    await choose(ctx, tx, choice);
    return 'Prize awarded. The project is completed when the prize has settled on chain.';
  });
}

async function choose(ctx: Context<OperatorCaller>, tx: Tx, { projectId, submissionId, reason }: Choice) {
  const project = await lockProject(tx, { projectId });
  const entry = await lockEntry(tx, { projectId, submissionId });
  if (project.awardedAt !== null && project.winnerSubmissionId === submissionId) return;
  const at = ctx.clock.now();
  const judged = await endForOperator(ctx, tx, project, at);
  if (entry.disqualifiedAt) throw stateConflict(project.status, 'this entry was disqualified');
  const decision = { selection: 'operator', winnerId: submissionId } as const;
  await award(ctx, tx, { project: judged, decision, actor: 'operator', at, reason });
}
