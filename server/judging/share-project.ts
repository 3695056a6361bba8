import type { Context, Deps } from '../deps.ts';
import { lockProject, type ProjectRow, stateConflict } from '../projects/public.ts';
import { entriesOf } from '../entries/public.ts';
import { award } from './ends/award.ts';
import { refundFees } from './ends/refund-fees.ts';
import { sharingEntries } from './ends/sharing-entries.ts';
import { decideProject } from './ends/decide.ts';
import { endForOperator, type ProjectAct, type ProjectAfter } from './end-for-operator.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

/** Shares the whole prize, less the platform fee, equally among the eligible entries, and refunds every entry fee. */
export async function shareProject(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: ProjectAct,
): Promise<ProjectAfter> {
  const projectId = params.project_id;
  return await decideProject(ctx, projectId, async (tx) => {
    const project = await lockProject(tx, { projectId });
    if (!(await shareLocked(ctx, tx, { project, reason, at: ctx.clock.now() })))
      throw stateConflict(project.status, 'it has no eligible entry; cancel it instead');
    return 'Prize shared. The project is completed when every share has settled on chain.';
  });
}

/** Shares the prize of a project whose lock the caller holds. Returns false if no entry is eligible: roll back then. */
export async function shareLocked(
  deps: Pick<Deps, 'newId' | 'config'>,
  tx: Tx,
  { project, reason, at }: { project: ProjectRow; reason: string; at: Date },
): Promise<boolean> {
  const judged = await endForOperator(deps, tx, project, at);
  const entries = await entriesOf(tx, project.id);
  const sharing = await sharingEntries(tx, entries);
  if (sharing.size === 0) return false;
  const decision = { selection: 'shared', sharing } as const;
  await refundFees(deps, tx, 'all', { projectId: project.id, at });
  await award(deps, tx, { project: judged, decision, entries, actor: 'operator', at, reason });
  return true;
}
