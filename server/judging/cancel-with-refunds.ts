import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { oweProjectRefunds } from '../payouts/public.ts';
import { type JudgedProject, markCancelled, type Mover } from '../projects/public.ts';
import { recordCancelled, submissionIdsOf } from '../entries/public.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Ends a project without a winner. The prize and every entry fee are owed back to their payers. The caller holds the
 * project's lock.
 */
export async function cancelWithRefunds(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { project, actor, reason, at }: Mover & { project: Pick<JudgedProject, 'id' | 'status'>; reason: string },
): Promise<void> {
  const projectId = project.id;
  const [submissionIds] = await Promise.all([
    submissionIdsOf(tx, projectId),
    markCancelled(tx, project, { actor, at, reason }),
    recordCancelled(tx, projectId, at),
    recordAudit(deps, tx, { at, actor, action: 'project.cancel', subject: `project:${projectId}`, reason }),
  ]);
  await oweProjectRefunds(deps, tx, { projectId, submissionIds, at });
}
