import type { holdOperations } from '../../../contract/projects/holds.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { forgetSearches, lockAnyProject, readProject } from '../../projects/public.ts';
import { payHeld, requireHeld } from './hold-result.ts';
import { withDecision } from '../ends/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof holdOperations.releasePayout;

/** Ends the hold of a result now and pays it, whatever held it. Open objections lapse. */
export async function releasePayout(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: Input<Operation>,
): Promise<Output<Operation>> {
  const projectId = params.project_id;
  await withDecision(ctx, async (tx) => {
    const project = await lockAnyProject(tx, projectId);
    requireHeld(project);
    const at = ctx.clock.now();
    const subject = `project:${projectId}` as const;
    await recordAudit(ctx, tx, { at, actor: 'operator', action: 'project.release', subject, reason });
    await payHeld(ctx, tx, { project, actor: 'operator', at });
  });
  forgetSearches(ctx.db);
  return { message: 'The result is final and is paid.', project: await readProject(ctx, projectId) };
}
