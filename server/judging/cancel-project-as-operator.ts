import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorOperations } from '../../contract/operator/operator.ts';
import type { Context } from '../deps.ts';
import { lockProject } from '../projects/public.ts';
import { cancelWithRefunds } from './ends/cancel-with-refunds.ts';
import { decideProject } from './ends/decide.ts';
import { requireUndecided } from './require-undecided.ts';
import type { OperatorCaller } from '../callers.ts';

type Operation = typeof operatorOperations.cancelProjectAsOperator;

/**
 * Cancels a project whose prize is not awarded, and refunds the prize and all entry fees. With `keep_fee`, the service
 * keeps the platform fee of the prize.
 */
export async function cancelProjectAsOperator(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const projectId = params.project_id;
  return await decideProject(ctx, projectId, async (tx) => {
    const project = await lockProject(tx, { projectId });
    requireUndecided(project, 'the operator can cancel only an open project or one in judging');
    const at = ctx.clock.now();
    const { reason, keep_fee: keepFee } = body;
    await cancelWithRefunds(ctx, tx, { project, actor: 'operator', reason, at, keepFee });
    return keepFee
      ? 'Project canceled. All payments for it are refunded, except the platform fee of the prize.'
      : 'Project canceled. All payments for it are refunded.';
  });
}
