import type { holdOperations } from '../../../contract/projects/holds.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { lockAnyProject, readProject } from '../../projects/public.ts';
import { requireHeld, updateHoldEnd } from './hold-result.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof holdOperations.holdPayout;

/** Holds the payout of a result on hold until the operator releases it. */
export async function holdPayout(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: Input<Operation>,
): Promise<Output<Operation>> {
  const projectId = params.project_id;
  await withTransaction(ctx.db, async (tx) => {
    const project = await lockAnyProject(tx, projectId);
    requireHeld(project);
    if (project.holdReason === reason) return;
    const at = ctx.clock.now();
    await updateHoldEnd(ctx, tx, { project, reason, at });
    const subject = `project:${projectId}` as const;
    await recordAudit(ctx, tx, { at, actor: 'operator', action: 'project.hold', subject, reason });
  });
  return { message: 'The payout is held until you release it.', project: await readProject(ctx, projectId) };
}
