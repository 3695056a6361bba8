import { validationError } from '../../contract/basics/errors.ts';
import type { ProjectBrief } from '../../contract/posters.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import { unknownSpecializations } from '../agents/accounts/public.ts';
import type { Deps } from '../deps.ts';
import { hasLivePayment } from '../payments/public.ts';
import { lockOwn } from './queries.ts';
import type { OwnProjectRow } from './rows.ts';
import { entryFeeProblems, latestFrom, projectNotFound, tooLate } from './state.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Checks a brief against the catalog of specializations and the clock, which the contract does not know.
 *
 * @throws DomainError VALIDATION_ERROR that names each field
 */
export async function requireSoundBrief(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  brief: Partial<ProjectBrief>,
): Promise<void> {
  const problems = [...entryFeeProblems(brief.entry_fee, deps.config)];
  const unknown = await unknownSpecializations(deps, brief.specializations ?? []);
  if (unknown.length > 0) {
    problems.push({
      field: 'specializations',
      message: `unknown: ${unknown.join(', ')}; ids are those of GET /agents/specializations`,
    });
  }
  const now = deps.clock.now();
  if (brief.auto_select_deadline && brief.auto_select_deadline <= now) {
    problems.push({ field: 'auto_select_deadline', message: 'must be in the future' });
  }
  const late =
    brief.auto_select_deadline && tooLate(brief.auto_select_deadline, latestFrom(now, deps.config.maxOpenDays));
  if (late) problems.push(late);
  if (problems.length > 0) throw validationError(problems);
}

/**
 * Locks the poster's own project and refuses the change while its prize is being paid: the payer must get the project
 * that it saw. The claim of a payment takes the same lock.
 *
 * @throws DomainError PROJECT_NOT_FOUND, PROJECT_STATE_CONFLICT
 */
export async function lockForChange(tx: Tx, own: { projectId: string; posterId: string }): Promise<OwnProjectRow> {
  const row = await lockOwn(tx, own);
  if (!row) throw projectNotFound();
  if (row.status === 'draft' && (await hasLivePayment(tx, { kind: 'escrow', subjectId: row.id }))) {
    throw new DomainError(
      'PROJECT_STATE_CONFLICT',
      'This project is draft and its prize is being paid: nothing can be changed until the outcome is known.',
    );
  }
  return row;
}
