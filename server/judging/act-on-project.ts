import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorOperations } from '../../contract/operator/operator.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../callers.ts';
import { holdPayout, releasePayout } from './hold-payout.ts';
import { reopenProject } from './reopen-project.ts';
import { shareProject } from './share-project.ts';

type Operation = typeof operatorOperations.actOnProject;

const acts = { share: shareProject, reopen: reopenProject, hold: holdPayout, release: releasePayout };

/** Does to a project what the path says. */
export async function actOnProject(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  return await acts[params.act](ctx, { params, body });
}
