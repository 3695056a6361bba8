import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { InspectorBusy } from '../../pictures/public.ts';
import {
  type PublishedProject,
  confirmableUntil,
  FEE_STAYS_PAID,
  findPublished,
  requireConfirmable,
  requirePlace,
} from '../../projects/public.ts';
import { findOwnSubmission, type SubmissionRow } from '../queries.ts';
import { requireMayConfirm } from '../restricted.ts';
import { submissionNotFound } from '../state.ts';
import {
  type ConfirmableFile,
  findOpenFiles,
  listItemFiles,
  markResultsDue,
  recordRequest,
} from './inspection-queries.ts';
import { confirmedEntry } from './inspections.ts';
import { enteredWithout, incomplete, missingItems, picturesRefused } from './items.ts';
import { alreadyConfirmed } from './record-results.ts';
import type { AgentCaller } from '../../callers.ts';
import type { Confirmed, ConfirmedEntry, RequestedConfirmation } from '../types.ts';

type Operation = typeof submissionOperations.confirmUpload;

/** `itemsNeeded`: how many items the request asks for; null for those that are there. `now`: when the request came. */
type Wanted = { itemsNeeded: number | null; now: Date };

/**
 * Records that the agent requests the confirmation, then inspects the uploaded pictures and confirms the submission. The
 * recorded time counts, however long the inspections take. A refused file costs nothing: a new upload URL is free.
 */
export async function confirmUpload(
  ctx: Context<AgentCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  // The time at which the request came counts, also when it waits for a connection or a lock.
  const now = ctx.clock.now();
  const itemsNeeded = body?.items ?? null;
  const key = `${ctx.caller.agentId} ${params.project_id} ${params.submission_id} ${itemsNeeded}`;
  return shown(await ctx.inspections.joined(key, () => confirm(ctx, params, { itemsNeeded, now })));
}

async function confirm(
  ctx: Context<AgentCaller>,
  { submission_id: submissionId, project_id: projectId }: Input<Operation>['params'],
  wanted: Wanted,
): Promise<Confirmed> {
  const own = { submissionId, projectId, agentId: ctx.caller.agentId };
  const [submission, files] = await Promise.all([findOwnSubmission(ctx.db, own), listItemFiles(ctx.db, submissionId)]);
  if (!submission) throw submissionNotFound();
  await requireMayConfirm(ctx, submission, files);
  const { project, result } = await request(ctx, own, wanted);
  const entry = 'requestedAt' in result ? await awaitInspections(ctx, result) : result;
  requireEntered(entry, wanted, project);
  return { entry, itemCount: project.itemCount };
}

/** Returns the confirmation to perform, or the result of an earlier request that the agent has not received. */
async function request(
  ctx: Context<AgentCaller>,
  own: { submissionId: string; projectId: string; agentId: string },
  { itemsNeeded, now }: Wanted,
): Promise<{ project: PublishedProject; result: RequestedConfirmation | ConfirmedEntry }> {
  return await withTransaction(ctx.db, async (tx) => {
    const [project, submission, files] = await Promise.all([
      // Shared: many agents may request at once, and the timers wait, because they take the exclusive lock.
      findPublished(tx, own.projectId, 'for share'),
      findOwnSubmission(tx, own, 'for update'),
      listItemFiles(tx, own.submissionId),
    ]);
    if (!project || !submission) throw submissionNotFound();
    requireItems(itemsNeeded, project);
    const known = knownResult(submission, files);
    if (known) return { project, result: known };
    const pending = files.filter(({ status }) => status === 'pending');
    if (pending.length === 0) throw nothingExpected(files, itemsNeeded, project);
    const underWay = pending.filter(({ requestedAt }) => requestedAt !== null);
    // A repeated request keeps the time, the items, and the number of the first. So repeating it extends nothing, and no
    // item that was uploaded meanwhile joins.
    const [first] = underWay;
    const requestedAt = first?.requestedAt ?? now;
    requireConfirmable(project, requestedAt);
    requirePlaceOf(submission, project);
    if (first) {
      const open = underWay.filter(({ accepted }) => !accepted);
      const isInTime = now <= confirmableUntil(project);
      return { project, result: { ...own, requestedAt, itemsNeeded: first.itemsNeeded, files: open, isInTime } };
    }
    const fileIds = pending.map(({ fileId }) => fileId);
    await recordRequest(tx, fileIds, { at: now, itemsNeeded });
    return { project, result: { ...own, requestedAt, itemsNeeded, files: pending, isInTime: true } };
  });
}

/** @throws DomainError VALIDATION_ERROR when the project asks for fewer items */
function requireItems(itemsNeeded: number | null, { itemCount }: PublishedProject): void {
  if (itemsNeeded === null || itemsNeeded <= itemCount) return;
  throw validationError([{ field: 'items', message: `1 to ${itemCount}, the items of this project` }]);
}

function knownResult(submission: SubmissionRow, files: ConfirmableFile[]): ConfirmedEntry | null {
  if (submission.status !== 'submitted') return null;
  if (!files.some(({ status, resultDue }) => status === 'completed' && resultDue))
    throw alreadyConfirmed(submission.id);
  return confirmedEntry(submission, files);
}

/** Returns why there is nothing to confirm: the result of an earlier request, or that no upload URL waits for a file. */
function nothingExpected(
  files: ConfirmableFile[],
  itemsNeeded: number | null,
  { itemCount }: PublishedProject,
): DomainError {
  if (itemsNeeded !== null)
    return incomplete(
      { itemsNeeded, itemCount },
      missingItems(files, itemCount, () => false),
    );
  const refused = files.filter(({ status, resultDue }) => status === 'refused' && resultDue);
  if (refused.length > 0) return picturesRefused(refused);
  return new DomainError(
    'MEDIA_FILE_NOT_FOUND',
    'No file is expected for this submission. Request an upload URL first.',
  );
}

/** A paid entry holds its place until the place lapses. A free one takes it with its confirmation. */
function requirePlaceOf({ place_until: heldUntil }: SubmissionRow, project: PublishedProject): void {
  if (heldUntil === null) requirePlace(project, project.entryFeeMicro === 0 ? undefined : FEE_STAYS_PAID);
}

/** @throws DomainError CONFIRMATION_PENDING when the inspections take longer than a request may wait */
async function awaitInspections(
  { db, clock, inspections }: Context<AgentCaller>,
  confirmation: RequestedConfirmation,
): Promise<ConfirmedEntry> {
  const wait = AbortSignal.timeout(inspections.times.waitMs);
  const over = new Promise<null>((resolve) => wait.addEventListener('abort', () => resolve(null), { once: true }));
  const unlessBusy = (error: unknown) => {
    if (error instanceof InspectorBusy) return null;
    throw error;
  };
  let { files } = confirmation;
  do {
    const entry = await Promise.race([inspections.inspect({ ...confirmation, files }).catch(unlessBusy), over]);
    if (entry) return entry;
    // Another process inspects a file, or too many wait.
    if (!(await sleep(LOOK_AGAIN_MS, true, { signal: wait }).catch(() => false))) break;
    files = await findOpenFiles(db, confirmation, clock.now());
  } while (!wait.aborted);
  await markResultsDue(db, [confirmation]);
  throw confirmationPending(confirmation.requestedAt);
}

/** @throws DomainError CONFIRMATION_INCOMPLETE when another request has confirmed fewer items than this one needs */
function requireEntered({ files }: ConfirmedEntry, { itemsNeeded }: Wanted, { itemCount }: PublishedProject): void {
  const missing = missingItems(files, itemCount, isEntered);
  if (itemsNeeded !== null && itemCount - missing.length < itemsNeeded) throw enteredWithout(missing, itemsNeeded);
}

const LOOK_AGAIN_MS = 250;
const RETRY_SECONDS = 5;

function confirmationPending(requestedAt: Date): DomainError {
  const at = requestedAt.toISOString();
  return new DomainError(
    'CONFIRMATION_PENDING',
    `The pictures are still being inspected. Your confirmation counts from ${at}, and nothing is lost. Send the same request again to read the result.`,
    { retryAfterSeconds: RETRY_SECONDS, details: [{ field: 'confirm_requested_at', message: at }] },
  );
}

const isEntered = ({ status }: ConfirmedEntry['files'][number]) => status === 'completed';

function shown({ entry, itemCount }: Confirmed): Output<Operation> {
  const { files, feePaidMicro, ...times } = entry;
  return {
    message: 'Submission confirmed.',
    status: 'submitted',
    ...times,
    items: files.filter(isEntered).map(({ item }) => item),
    items_missing: missingItems(files, itemCount, isEntered),
    entry_fee_paid: feePaidMicro,
  };
}
