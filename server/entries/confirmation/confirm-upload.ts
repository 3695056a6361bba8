import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { InspectorBusy } from '../../pictures/public.ts';
import { type EntryProject, lockProjectForRequest, requireConfirmable, requirePlace } from '../../projects/public.ts';
import { alreadyConfirmed } from './enter.ts';
import { findFileToConfirm, markResultsDue, recordRequest } from './inspection-queries.ts';
import { confirmedEntry, pictureRefused } from './inspections.ts';
import {
  findCurrentFile,
  findOwnSubmission,
  lockOwnSubmission,
  type MediaFileRow,
  requireMayConfirm,
  submissionNotFound,
  type SubmissionRow,
} from '../public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { ConfirmedEntry, RequestedFile } from '../../ports/inspections.ts';

type Operation = typeof submissionOperations.confirmUpload;

/**
 * Records that the agent requests the confirmation, then inspects the uploaded picture and confirms the submission. The
 * recorded time counts, however long the inspection takes. A refused file costs nothing: a new upload URL is free.
 */
export async function confirmUpload(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const key = `${ctx.caller.agentId} ${params.project_id} ${params.submission_id}`;
  return shown(await ctx.inspections.joined(key, () => confirm(ctx, params)));
}

async function confirm(ctx: Context<AgentCaller>, params: Input<Operation>['params']): Promise<ConfirmedEntry> {
  const { submission_id: submissionId, project_id: projectId } = params;
  const submission = await findOwnSubmission(ctx.db, { submissionId, projectId, agentId: ctx.caller.agentId });
  if (!submission) throw submissionNotFound();
  await requireMayConfirm(ctx, submission, await findCurrentFile(ctx.db, submissionId));
  const requested = await request(ctx, params);
  return 'requestedAt' in requested ? await awaitInspection(ctx, requested) : requested;
}

/** Returns the file to inspect, or the result of an earlier request that the agent has not received. */
async function request(
  ctx: Context<AgentCaller>,
  { submission_id: submissionId, project_id: projectId }: Input<Operation>['params'],
): Promise<RequestedFile | ConfirmedEntry> {
  // The time at which the request came counts, also when it waits for a lock.
  const now = ctx.clock.now();
  const own = { submissionId, projectId, agentId: ctx.caller.agentId };
  return await withTransaction(ctx.db, async (tx) => {
    const [project, submission, file] = await Promise.all([
      lockProjectForRequest(tx, projectId),
      lockOwnSubmission(tx, own),
      findFileToConfirm(tx, submissionId),
    ]);
    if (!project || !submission || submission.status === 'withdrawn') throw submissionNotFound();
    const known = knownResult(submission, file);
    if (known) return known;
    if (!file)
      throw new DomainError(
        'MEDIA_FILE_NOT_FOUND',
        'No file is expected for this submission. Request an upload URL first.',
      );
    // A repeated request keeps the time of the first, so that repeating it cannot extend anything.
    const requestedAt = file.confirm_requested_at ?? now;
    requireEnterable(project, requestedAt, ctx.config.confirmGraceSeconds);
    if (file.confirm_requested_at === null) await recordRequest(tx, file.id, now);
    return { ...own, ...fileToInspect(file), requestedAt };
  });
}

function knownResult(submission: SubmissionRow, file: MediaFileRow | null): ConfirmedEntry | null {
  if (file?.status === 'refused') throw pictureRefused(file.refused_reason);
  if (file?.status !== 'completed') return null;
  if (!file.confirm_result_due) throw alreadyConfirmed(submission.id);
  return confirmedEntry(submission);
}

function requireEnterable(project: EntryProject, requestedAt: Date, graceSeconds: number): void {
  requireConfirmable(project, requestedAt, graceSeconds);
  // In a paid project, the fee has taken the place.
  if (project.entryFeeMicro === 0) requirePlace(project);
}

function fileToInspect(file: MediaFileRow) {
  return { fileId: file.id, uploadKey: file.upload_key, contentType: file.content_type, sizeBytes: file.size_bytes };
}

/** @throws DomainError CONFIRMATION_PENDING when the inspection takes longer than a request may wait */
async function awaitInspection(
  { db, inspections }: Context<AgentCaller>,
  file: RequestedFile,
): Promise<ConfirmedEntry> {
  const wait = AbortSignal.timeout(inspections.times.waitMs);
  const over = new Promise<null>((resolve) => wait.addEventListener('abort', () => resolve(null), { once: true }));
  const unlessBusy = (error: unknown) => {
    if (error instanceof InspectorBusy) return null;
    throw error;
  };
  do {
    const entry = await Promise.race([inspections.inspect(file).catch(unlessBusy), over]);
    if (entry) return entry;
    // Another process inspects the file, or too many wait.
  } while (await sleep(LOOK_AGAIN_MS, true, { signal: wait }).catch(() => false));
  await markResultsDue(db, [file.fileId]);
  throw confirmationPending(file.requestedAt);
}

const LOOK_AGAIN_MS = 250;
const RETRY_SECONDS = 5;

function confirmationPending(requestedAt: Date): DomainError {
  const at = requestedAt.toISOString();
  return new DomainError(
    'CONFIRMATION_PENDING',
    `The picture is still being inspected. Your confirmation counts from ${at}, and nothing is lost. Send the same request again to read the result.`,
    { retryAfterSeconds: RETRY_SECONDS, details: [{ field: 'confirm_requested_at', message: at }] },
  );
}

function shown({ feePaidMicro, ...entry }: ConfirmedEntry): Output<Operation> {
  return { message: 'Submission confirmed.', status: 'submitted', ...entry, entry_fee_paid: feePaidMicro };
}
