import type { Context } from '../deps.ts';
import { forgetSearches, lockProject, readProject, stateConflict } from '../projects/public.ts';
import { entriesOf } from '../entries/public.ts';
import { award } from './ends/award.ts';
import { refundFees } from './ends/refund-fees.ts';
import { sharingEntries } from './ends/sharing-entries.ts';
import { withDecision } from './ends/decide.ts';
import { endForOperator, type ProjectAct, type ProjectAfter } from './end-for-operator.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

/** Shares the whole prize, less the platform fee, equally among the eligible entries, and refunds every entry fee. */
export async function shareProject(ctx: Context<OperatorCaller>, { params, body }: ProjectAct): Promise<ProjectAfter> {
  const projectId = params.project_id;
  await withDecision(ctx, (tx) => share(ctx, tx, { projectId, ...body }));
  forgetSearches(ctx.db);
  return {
    message: 'Prize shared. The project is completed when every share has settled on chain.',
    project: await readProject(ctx, projectId),
  };
}

async function share(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  { projectId, reason }: { projectId: string; reason: string },
): Promise<void> {
  const project = await lockProject(tx, { projectId });
  const at = ctx.clock.now();
  const judged = await endForOperator(ctx, tx, project, at);
  const entries = await entriesOf(tx, projectId);
  const sharing = await sharingEntries(tx, entries);
  if (sharing.size === 0) throw stateConflict(project.status, 'it has no eligible entry; cancel it instead');
  const decision = { selection: 'shared', sharing } as const;
  await refundFees(ctx, tx, 'all', { projectId, at });
  await award(ctx, tx, { project: judged, decision, entries, actor: 'operator', at, reason });
}
