import type { Output } from '../../contract/basics/operation.ts';
import type { operatorOperations } from '../../contract/operator/operator.ts';
import type { Deps } from '../deps.ts';
import { beginJudging, type ProjectRow } from '../projects/public.ts';
import { refundFees } from './ends/refund-fees.ts';
import { requireUndecided } from './require-undecided.ts';
import type { Tx } from '../db/database.ts';

/** An act of the operator on a project, and its answer. */
export type ProjectAct = { params: { project_id: string }; body: { reason: string } };
export type ProjectAfter = Output<typeof operatorOperations.actOnProject>;

/**
 * Prepares a project for a decision of the operator, who ends entries if it is open. Paid entries that are not confirmed
 * by then are refunded. Returns the project in judging.
 *
 * @throws DomainError PROJECT_STATE_CONFLICT
 */
export async function endForOperator(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
  at: Date,
): Promise<ProjectRow> {
  requireUndecided(project, 'the operator can decide only an open project or one in judging');
  if (project.status === 'judging') return project;
  await beginJudging(deps, tx, project, { actor: 'operator', at });
  await refundFees(deps, tx, 'unconfirmed', { projectId: project.id, at });
  return { ...project, status: 'judging' };
}
