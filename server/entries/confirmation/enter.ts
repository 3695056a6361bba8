import { DomainError } from '../../../contract/basics/errors.ts';
import { recordConfirmed } from '../../agents/rankings/public.ts';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import {
  countSubmission,
  lockProjectForConfirmation,
  lookAgainAt,
  requireConfirmable,
  requirePlace,
} from '../../projects/public.ts';
import {
  completeFile,
  entriesWait,
  generationTimeSeconds,
  lockSubmission,
  markSubmitted,
  submissionConflict,
  submissionNotFound,
} from '../public.ts';
import type { ConfirmedEntry, RequestedFile } from '../../ports/inspections.ts';
import type { ImageFacts } from '../../ports/pictures.ts';

type Inspected = RequestedFile & { facts: ImageFacts; originalKey: string };

/**
 * Commits an entry whose picture was inspected. The time of the request counts, not the time of the commit.
 *
 * @throws DomainError when the project ended meanwhile, or is full and free
 */
export async function enter(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { submissionId, projectId, fileId, requestedAt, facts, originalKey }: Inspected,
): Promise<ConfirmedEntry> {
  return await withTransaction(deps.db, async (tx) => {
    const project = await lockProjectForConfirmation(tx, projectId);
    const now = deps.clock.now();
    requireConfirmable(project, requestedAt, deps.config.confirmGraceSeconds);
    const submission = await lockSubmission(tx, submissionId);
    if (submission?.status === 'withdrawn') throw submissionNotFound();
    if (submission?.status !== 'pending') throw alreadyConfirmed(submissionId);
    if (project.entryFeeMicro === 0) requirePlace(project);
    const completed = await completeFile(tx, { id: fileId, originalKey, now, ...facts });
    if (!completed)
      throw new DomainError(
        'MEDIA_FILE_NOT_FOUND',
        'The file was replaced by a newer upload URL. Upload to that one, then confirm.',
      );
    const seconds = generationTimeSeconds(submission.created_at, requestedAt);
    const entry = await markSubmitted(tx, submissionId, requestedAt, seconds);
    await countSubmission(tx, projectId, now);
    if (entry) await recordConfirmed(tx, entry);
    // This was the last entry that the grace period waited for, so the project advances at once.
    if (now >= project.autoSelectDeadline && !(await entriesWait(tx, project))) await lookAgainAt(tx, projectId, now);
    return {
      submissionId,
      generationTimeSeconds: seconds,
      confirmedAt: requestedAt,
      feePaidMicro: submission.entry_fee_paid_micro,
    };
  });
}

/** Returns the error for a submission that needs no confirmation. */
export function alreadyConfirmed(submissionId: string): DomainError {
  const message = 'This submission is already confirmed. Nothing more is needed.';
  return submissionConflict('MEDIA_FILE_NOT_FOUND', message, [submissionId]);
}
