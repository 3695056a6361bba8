import { recordAudit } from '../audit/public.ts';
import type { OperatorCaller } from '../callers.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { lockAnyProject, readProject, scheduleNextCheck } from '../projects/public.ts';
import type { ProjectAct, ProjectAfter } from './end-for-operator.ts';
import { requireUndecided } from './require-undecided.ts';

/** Lets the timers look at a project at once. */
export async function checkProject(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: ProjectAct,
): Promise<ProjectAfter> {
  const projectId = params.project_id;
  await withTransaction(ctx.db, async (tx) => {
    requireUndecided(await lockAnyProject(tx, projectId), 'its timers have nothing to do');
    const at = ctx.clock.now();
    await scheduleNextCheck(tx, projectId, at);
    const subject = `project:${projectId}` as const;
    await recordAudit(ctx, tx, { at, actor: 'operator', action: 'project.check', subject, reason });
  });
  return { message: 'The timers check the project now.', project: await readProject(ctx, projectId) };
}
