import type { z } from 'zod';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { type operatorOperations, projectAct } from '../../contract/operator/operator.ts';
import type { operatorProjectOperations } from '../../contract/operator/projects.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../callers.ts';
import type { ProjectAct, ProjectAfter } from './end-for-operator.ts';
import { holdPayout, releasePayout } from './hold-payout.ts';
import { reopenProject } from './reopen-project.ts';
import { shareProject } from './share-project.ts';

type Operation = typeof operatorOperations.actOnProject;
type Shown = Output<typeof operatorProjectOperations.listProjectsAsOperator>['projects'][number];

type Act = {
  does: (ctx: Context<OperatorCaller>, act: ProjectAct) => Promise<ProjectAfter>;
  /** Whether the console offers it. The verb decides under its lock. */
  isPossible: (project: Shown) => boolean;
};

const isUndecided = ({ status, awarded_at: at }: Shown) => (status === 'open' || status === 'judging') && at === null;

const acts: Record<z.infer<typeof projectAct>, Act> = {
  release: { does: releasePayout, isPossible: (project) => isUndecided(project) && project.result_on_hold !== null },
  hold: {
    does: holdPayout,
    isPossible: (project) => isUndecided(project) && Boolean(project.result_on_hold?.pay_after),
  },
  share: { does: shareProject, isPossible: (project) => isUndecided(project) && project.total_submissions > 0 },
  reopen: {
    does: reopenProject,
    isPossible: ({ status, awarded_at: at, payout_status: payout }) =>
      status === 'judging' && at !== null && payout !== 'settled',
  },
};

/** Does to a project what the path says. */
export async function actOnProject(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  return await acts[params.act].does(ctx, { params, body });
}

/** Lists what the operator can do to a project in its state. */
export const possibleActs = (project: Shown) => projectAct.options.filter((act) => acts[act].isPossible(project));
