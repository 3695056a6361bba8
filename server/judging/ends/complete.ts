import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { postJournal, REVENUE } from '../../ledger/public.ts';
import { markCompleted, type Mover, type ProjectRow } from '../../projects/public.ts';
import { remainingFees } from './cancel-with-refunds.ts';
import type { Tx } from '../../db/database.ts';

/**
 * Completes a project whose payable awards have left it, and books the entry fees that nobody gets back. The platform fee was
 * booked with the award. The caller holds the project's lock.
 */
export async function complete(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
  { actor, at }: Mover,
): Promise<void> {
  await markCompleted(deps, tx, project, { actor, at });
  await recordAudit(deps, tx, { at, actor, action: 'project.complete', subject: `project:${project.id}` });
  const lines = (await remainingFees(tx, project.id)).filter(({ amountMicro }) => amountMicro > 0);
  if (lines.length === 0) return;
  const earned = lines.reduce((sum, line) => sum + line.amountMicro, 0);
  await postJournal(tx, {
    id: deps.newId(),
    kind: 'completion',
    paymentId: null,
    at,
    lines: [...lines, { account: REVENUE, amountMicro: -earned }],
  });
}
