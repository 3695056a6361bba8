import type { Input, Output } from '../../contract/operation.ts';
import type { operatorOperations } from '../../contract/operator.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lockAnyProject, readProject, forgetSearches } from '../projects/public.ts';
import { cancelWithRefunds } from './cancel-with-refunds.ts';
import { requireUndecided } from './require-undecided.ts';
import type { OperatorCaller } from '../ports/callers.ts';

type Operation = typeof operatorOperations.cancelProjectAsOperator;

/** Until the prize is awarded; everything that was paid for the project goes back. */
export async function cancelProjectAsOperator(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const projectId = params.project_id;
  await withTransaction(ctx.db, async (tx) => {
    const project = await lockAnyProject(tx, projectId);
    requireUndecided(project, 'cancelled by the operator');
    await cancelWithRefunds(ctx, tx, { project, actor: 'operator', reason: body.reason, at: ctx.clock.now() });
  });
  forgetSearches(ctx.db);
  return {
    message: 'Project cancelled. What was paid for it goes back.',
    project: await readProject(ctx, projectId),
  };
}
