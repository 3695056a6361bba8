import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { holdHeldPayout, lockProject, readProject } from '../projects/public.ts';
import { payHeld, requireHeld } from './ends/hold-result.ts';
import { decideProject } from './ends/decide.ts';
import type { ProjectAct, ProjectAfter } from './end-for-operator.ts';
import type { OperatorCaller } from '../callers.ts';

/** Holds the payout of a result on hold until the operator releases it. */
export async function holdPayout(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: ProjectAct,
): Promise<ProjectAfter> {
  const projectId = params.project_id;
  await withTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, { projectId });
    requireHeld(project);
    if (project.holdReason === reason) return;
    const at = ctx.clock.now();
    await holdHeldPayout(tx, projectId, { reason, at });
    const subject = `project:${projectId}` as const;
    await recordAudit(ctx, tx, { at, actor: 'operator', action: 'project.hold', subject, reason });
  });
  return { message: 'The payout is held until you release it.', project: await readProject(ctx, projectId) };
}

/** Ends the hold of a result now and pays it, whatever held it. */
export async function releasePayout(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: ProjectAct,
): Promise<ProjectAfter> {
  const projectId = params.project_id;
  return await decideProject(ctx, projectId, async (tx) => {
    const project = await lockProject(tx, { projectId });
    requireHeld(project);
    const at = ctx.clock.now();
    const subject = `project:${projectId}` as const;
    await recordAudit(ctx, tx, { at, actor: 'operator', action: 'project.release', subject, reason });
    await payHeld(ctx, tx, { project, actor: 'operator', at });
    return 'The result is final and is paid.';
  });
}
