import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { submissionOperations } from '../../contract/projects/submissions.ts';
import { recordConfirmed } from '../agents/rankings/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lookAgainAt, requireConfirmable, countSubmission, lockProjectForConfirmation } from '../projects/public.ts';
import { entriesWait } from './entries.ts';
import { ImageRejected } from '../pictures/public.ts';
import {
  completeFile,
  findCurrentFile,
  findOwnSubmission,
  lockSubmission,
  markSubmitted,
  type MediaFileRow,
  refuseFile,
} from './queries.ts';
import { requireMayConfirm } from './restricted.ts';
import { generationTimeSeconds, submissionConflict, submissionNotFound } from './state.ts';
import type { AgentCaller } from '../ports/callers.ts';
import type { ImageFacts } from '../ports/pictures.ts';

type Operation = typeof submissionOperations.confirmUpload;

/** Inspects the uploaded bytes and confirms the submission. A refused file costs nothing: a new upload URL is free. */
export async function confirmUpload(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { submission_id: submissionId, project_id: projectId } = params;
  const submission = await findOwnSubmission(ctx.db, { submissionId, projectId, agentId: ctx.caller.agentId });
  if (!submission) throw submissionNotFound();
  const file = await findCurrentFile(ctx.db, submissionId);
  await requireMayConfirm(ctx, submission, file);
  if (!file)
    throw new DomainError(
      'MEDIA_FILE_NOT_FOUND',
      'No file is expected for this submission. Request an upload URL first.',
    );
  if (file.status === 'completed') throw alreadyConfirmed(submissionId);

  const kept = await ctx.pictureMemory.hold(file.size_bytes, () =>
    judgeAndKeep(ctx, { submissionId, projectId, file }),
  );
  try {
    const entered = await enter(ctx, { submissionId, projectId, file, ...kept });
    // Renders the public copies now, so that the first visitor of the gallery does not wait for them.
    ctx.publicCopies.prepare(file.id);
    return entered;
  } catch (error) {
    // A rule refused the entry, so nothing was committed and nothing refers to the original. After any other failure,
    // the commit may have happened, and the original may be needed.
    if (error instanceof DomainError) await discard(ctx, kept.originalKey);
    throw error;
  }
}

type Upload = { submissionId: string; projectId: string; file: MediaFileRow };

async function judgeAndKeep(
  ctx: Context<AgentCaller>,
  { submissionId, projectId, file }: Upload,
): Promise<{ facts: ImageFacts; originalKey: string }> {
  const bytes = await ctx.storage.read(file.upload_key, file.size_bytes);
  if (!bytes)
    throw new DomainError(
      'FILE_NOT_FOUND',
      'The file is not in storage. PUT it to the upload URL, then confirm again.',
    );
  const facts = await inspect(ctx, file, bytes);
  // The upload URL works until it expires, so the inspected bytes are kept where no URL can write. Each confirmation
  // uses its own key, because a concurrent confirmation of the same file may have read other bytes.
  const originalKey = `originals/${projectId}/${submissionId}/${ctx.newId()}`;
  await ctx.storage.write(originalKey, bytes, file.content_type);
  return { facts, originalKey };
}

async function discard(ctx: Context<AgentCaller>, originalKey: string): Promise<void> {
  await ctx.storage.remove(originalKey).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'a picture that was not entered could not be removed');
  });
}

async function inspect(ctx: Context<AgentCaller>, file: MediaFileRow, bytes: Buffer): Promise<ImageFacts> {
  try {
    if (bytes.length !== file.size_bytes) {
      throw new ImageRejected(`the file has ${bytes.length} bytes, ${file.size_bytes} were declared`);
    }
    return await ctx.inspectImage(bytes, { contentType: file.content_type });
  } catch (error) {
    if (!(error instanceof ImageRejected)) throw error;
    await refuseFile(ctx.db, file.id);
    throw validationError([{ field: 'file', message: `${error.message}. Request a new upload URL; it costs nothing` }]);
  }
}

type Confirmation = Upload & { facts: ImageFacts; originalKey: string };

async function enter(
  ctx: Context<AgentCaller>,
  { submissionId, projectId, file, facts, originalKey }: Confirmation,
): Promise<Output<Operation>> {
  const confirmedAt = ctx.clock.now();
  return await withTransaction(ctx.db, async (tx) => {
    const project = await lockProjectForConfirmation(tx, projectId);
    requireConfirmable(project, confirmedAt, ctx.config.confirmGraceSeconds);
    const submission = await lockSubmission(tx, submissionId);
    if (submission?.status === 'withdrawn') throw submissionNotFound();
    if (submission?.status !== 'pending') throw alreadyConfirmed(submissionId);
    const completed = await completeFile(tx, { id: file.id, originalKey, now: confirmedAt, ...facts });
    if (!completed)
      throw new DomainError(
        'MEDIA_FILE_NOT_FOUND',
        'The file was replaced by a newer upload URL. Upload to that one, then confirm.',
      );
    const seconds = generationTimeSeconds(submission.created_at, confirmedAt);
    const entry = await markSubmitted(tx, submissionId, confirmedAt, seconds);
    await countSubmission(tx, projectId, confirmedAt);
    if (entry) await recordConfirmed(tx, entry);
    // This was the last entry that the grace period waited for, so the project advances at once.
    if (confirmedAt >= project.autoSelectDeadline && !(await entriesWait(tx, project)))
      await lookAgainAt(tx, projectId, confirmedAt);
    return {
      message: 'Submission confirmed.',
      submissionId,
      status: 'submitted',
      generationTimeSeconds: seconds,
      confirmedAt,
      entry_fee_paid: submission.entry_fee_paid_micro,
    };
  });
}

function alreadyConfirmed(submissionId: string): DomainError {
  const message = 'This submission is already confirmed. Nothing more is needed.';
  return submissionConflict('MEDIA_FILE_NOT_FOUND', message, [submissionId]);
}
