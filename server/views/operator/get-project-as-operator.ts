import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Context } from '../../deps.ts';
import { requireAnyProject } from './all-projects.ts';
import { projectNotFound } from '../../projects/public.ts';
import { operatorProjects } from './project-view.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof overviewOperations.getProjectAsOperator;

/** Returns one project of any poster, with its brief. */
export async function getProjectAsOperator(
  ctx: Context<OperatorCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const row = await requireAnyProject(ctx.views, params.project_id);
  const [project] = await operatorProjects(ctx.views, [row]);
  if (!project) throw projectNotFound();
  const { description, requirements, specializations, winnerSubmissionId: winner } = row;
  return { project: { ...project, description, requirements, specializations, winner_submission_id: winner } };
}
