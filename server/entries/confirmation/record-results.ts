import { DomainError } from '../../../contract/basics/errors.ts';
import { refreshFigures } from '../../agents/public.ts';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { type NewEvent, recordEvents } from '../../events/public.ts';
import {
  bringForward,
  countSubmission,
  type PublishedProject,
  FEE_STAYS_PAID,
  findPublished,
  requireConfirmable,
  requirePlace,
} from '../../projects/public.ts';
import { hasLivePayment } from '../../payments/public.ts';
import { entriesWait } from '../entries.ts';
import { generationTimeSeconds, submissionConflict, submissionNotFound } from '../state.ts';
import { findSubmission, markSubmitted, type SubmissionRow, supersedePending } from '../queries.ts';
import {
  completeFiles,
  type ConfirmableFile,
  endConfirmation,
  keepAccepted,
  leaveOut,
  listItemFiles,
  refuseFile,
} from './inspection-queries.ts';
import { incomplete, missingItems, picturesRefused } from './items.ts';
import type { ConfirmedEntry, RequestedConfirmation, RequestedFile } from '../types.ts';
import type { ImageFacts } from '../../pictures/types.ts';
import type { Tx } from '../../db/database.ts';

/** The result of a file: accepted and kept, refused, or not there in time. */
export type FileResult = { file: RequestedFile } & (
  | { kind: 'accepted'; facts: ImageFacts; originalKey: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'absent'; error: DomainError }
);

export type Recorded =
  | { kind: 'entered'; entry: ConfirmedEntry }
  /** Other files are still being inspected. */
  | { kind: 'open' }
  /** Another process was faster, or the confirmation has ended. Nothing was recorded. */
  | { kind: 'late' }
  /** The confirmation ended without an entry. Nothing refers to the originals any more. */
  | { kind: 'ended'; error: DomainError; originals: string[] };

type RecordDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'newId'>;

/**
 * Records results of files. With the last result of a confirmation, enters the submission with all accepted items. The
 * time of the request counts, not the time of the commit.
 *
 * @throws DomainError when the project ended meanwhile, or is full and the entry holds no place. Nothing is recorded then.
 */
export async function recordInspectionResults(
  deps: RecordDeps,
  confirmation: RequestedConfirmation,
  results: FileResult[],
): Promise<Recorded> {
  const { projectId, submissionId } = confirmation;
  return await withTransaction(deps.db, async (tx) => {
    const [project, submission, isPaid] = await Promise.all([
      // One confirmation at a time, because each counts an entry. With a shared lock first, two would wait for each other.
      findPublished(tx, projectId, 'for no key update'),
      findSubmission(tx, submissionId, 'for update'),
      hasLivePayment(tx, { kind: 'entry_fee', subjectId: submissionId }),
    ]);
    if (!project || !submission || submission.status === 'withdrawn') throw submissionNotFound();
    const [recorded, files] = await Promise.all([
      Promise.all(results.map((result) => record(tx, confirmation, result))),
      listItemFiles(tx, submissionId),
    ]);
    const isOver = !files.some((file) => file.status === 'pending' && isOf(confirmation, file));
    const isLate = results.length > 0 ? !recorded.includes(true) : isOver;
    if (submission.status === 'submitted' || isLate) return { kind: 'late' };
    const ended = endOf({ confirmation, files, results, project });
    if (ended === 'open') return { kind: 'open' };
    if (ended) return { kind: 'ended', error: ended, originals: await endConfirmation(tx, confirmation) };
    if (project.entryFeeMicro > 0 && !isPaid) throw feeLost();
    requireConfirmable(project, confirmation.requestedAt);
    if (submission.place_until === null)
      requirePlace(project, project.entryFeeMicro === 0 ? undefined : FEE_STAYS_PAID);
    return { kind: 'entered', entry: await enter(deps, tx, { confirmation, project, submission }) };
  });
}

function feeLost(): DomainError {
  return new DomainError(
    'MEDIA_FILE_NOT_FOUND',
    'The transfer of your entry fee is not on chain any more, and cannot come back. Request an upload URL, and pay again.',
  );
}

async function record(
  tx: Tx,
  { submissionId, requestedAt }: RequestedConfirmation,
  result: FileResult,
): Promise<boolean> {
  const file = { submissionId, requestedAt, fileId: result.file.fileId };
  if (result.kind === 'accepted') return await keepAccepted(tx, file, result);
  if (result.kind === 'refused') return await refuseFile(tx, file, result.reason);
  return await leaveOut(tx, file);
}

function isOf({ requestedAt }: RequestedConfirmation, file: ConfirmableFile): boolean {
  return file.requestedAt?.getTime() === requestedAt.getTime();
}

type State = {
  confirmation: RequestedConfirmation;
  files: ConfirmableFile[];
  results: FileResult[];
  project: PublishedProject;
};

/** Returns why the confirmation ends without an entry, `open` while files wait for their results, or null. */
function endOf({ confirmation, files, results, project }: State): DomainError | 'open' | null {
  const { itemsNeeded } = confirmation;
  const ofRequest = files.filter((file) => isOf(confirmation, file));
  const pending = ofRequest.filter(({ status }) => status === 'pending');
  const isAccepted = ({ accepted, status }: ConfirmableFile) => accepted && status === 'pending';
  if (itemsNeeded !== null && pending.length < itemsNeeded) {
    const { itemCount } = project;
    const isThere = (file: { fileId: string }) => pending.some(({ fileId }) => fileId === file.fileId);
    return incomplete({ itemsNeeded, itemCount }, missingItems(files, itemCount, isThere));
  }
  if (!pending.every(isAccepted)) return 'open';
  if (pending.length > 0) return null;
  const refused = ofRequest.filter(({ status }) => status === 'refused');
  if (refused.length > 0) return picturesRefused(refused);
  const absent = results.find((result) => result.kind === 'absent');
  return absent ? absent.error : new DomainError('MEDIA_FILE_NOT_FOUND', 'No file waits for a confirmation.');
}

async function enter(
  deps: RecordDeps,
  tx: Tx,
  { confirmation, project, submission }: Omit<State, 'files' | 'results'> & { submission: SubmissionRow },
): Promise<ConfirmedEntry> {
  const { submissionId, requestedAt } = confirmation;
  const now = deps.clock.now();
  const seconds = generationTimeSeconds(submission.created_at, requestedAt);
  const [, , , , files] = await Promise.all([
    completeFiles(tx, confirmation, now),
    // The items that were not there. Nothing is added to the entry afterwards.
    supersedePending(tx, submissionId),
    markSubmitted(tx, submissionId, requestedAt, seconds),
    countSubmission(tx, project.id, { takesPlace: submission.place_until === null, now }),
    listItemFiles(tx, submissionId),
    recordEvents(deps, tx, now, confirmedEvents(project, submission)),
  ]);
  await refreshFigures(tx, [submission.agent_id]);
  // This was the last entry that the grace period waited for, so the project advances at once.
  if (now >= project.entriesEndAt && !(await entriesWait(tx, project))) await bringForward(tx, project.id, now);
  return {
    submissionId,
    generationTimeSeconds: seconds,
    confirmedAt: requestedAt,
    feePaidMicro: submission.entry_fee_paid_micro,
    files,
  };
}

function confirmedEvents(project: PublishedProject, { id, agent_id: agent }: SubmissionRow): NewEvent[] {
  const data = { project_id: project.id, submission_id: id };
  const counted = { ...data, total_submissions: project.totalSubmissions + 1 };
  return [
    { agent, type: 'SUBMISSION.CONFIRMED', data },
    { poster: project.posterId, type: 'ENTRY.CONFIRMED', data: counted },
  ];
}

/** Returns the error for a submission that needs no confirmation. */
export function alreadyConfirmed(submissionId: string): DomainError {
  const message = 'This submission is already confirmed. Nothing more is needed.';
  return submissionConflict('MEDIA_FILE_NOT_FOUND', message, [submissionId]);
}
