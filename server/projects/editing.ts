import { DomainError, type ErrorDetail, validationError } from '../../contract/basics/errors.ts';
import { posterOperations } from '../../contract/posters.ts';
import type { ProjectBrief } from '../../contract/projects/brief.ts';
import { specializationFaults } from '../agents/public.ts';
import type { Deps } from '../deps.ts';
import { hasLivePayment } from '../payments/public.ts';
import { requireProject } from './locks.ts';
import type { ProjectRow } from './rows.ts';
import { entryFeeProblems, latestFrom, tooLate } from './state.ts';
import type { Tx } from '../db/database.ts';

type BriefDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/**
 * @param whole the brief with its changed and its unchanged fields
 * @throws DomainError VALIDATION_ERROR that names each field of `briefFaults`
 */
export async function requireSoundBrief(
  deps: BriefDeps,
  brief: Partial<ProjectBrief>,
  whole: Partial<ProjectBrief> = brief,
): Promise<void> {
  const faults = await briefFaults(deps, brief, whole);
  if (faults.length > 0) throw validationError(faults);
}

/** Checks the fields of a brief that the contract accepts, for an answer that names every failing field. */
export async function briefFaultsOf(deps: BriefDeps, body: unknown): Promise<ErrorDetail[]> {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const parsed = Object.entries(posterOperations.draftProject.body.shape).flatMap(([field, schema]) => {
    const { success, data } = schema.safeParse(given[field]);
    return success ? [[field, data] as const] : [];
  });
  return await briefFaults(deps, Object.fromEntries(parsed) as Partial<ProjectBrief>);
}

/** Checks a brief against the catalog of specializations, the clock, and the settings, which the contract does not know. */
async function briefFaults(
  deps: BriefDeps,
  brief: Partial<ProjectBrief>,
  { entry_fee: entryFeeMicro, prize_amount: prizeMicro }: Partial<ProjectBrief> = brief,
): Promise<ErrorDetail[]> {
  const { auto_select_deadline: deadline } = brief;
  const now = deps.clock.now();
  const late = deadline && tooLate(deadline, latestFrom(now, deps.config.maxOpenDays));
  return [
    ...entryFeeProblems({ entryFeeMicro, prizeMicro }, deps.config),
    ...(await specializationFaults(deps, brief.specializations ?? [])),
    ...(deadline && deadline <= now ? [{ field: 'auto_select_deadline', message: 'must be in the future' }] : []),
    ...(late ? [late] : []),
  ];
}

/**
 * Locks the poster's own project and refuses the change while its prize is being paid: the payer must get the project
 * that it saw. The claim of a payment takes the same lock.
 *
 * @throws DomainError PROJECT_NOT_FOUND, PROJECT_STATE_CONFLICT
 */
export async function lockForChange(tx: Tx, own: { projectId: string; posterId: string }): Promise<ProjectRow> {
  const row = await requireProject(tx, own, 'for update');
  if (row.status === 'draft' && (await hasLivePayment(tx, { kind: 'escrow', subjectId: row.id }))) {
    throw new DomainError(
      'PROJECT_STATE_CONFLICT',
      'This project is draft and its prize is being paid: nothing can be changed until the outcome is known.',
    );
  }
  return row;
}
