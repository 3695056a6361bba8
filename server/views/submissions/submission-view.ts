import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import { restrictionNow } from '../../agents/standing/public.ts';
import type { Context } from '../../deps.ts';
import { type FileState, nextStep } from '../../entries/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { SubmissionRow } from './submission-queries.ts';

type OwnSubmission = Output<typeof submissionOperations.getSubmission>['submission'];

/**
 * Returns submissions as their agent sees them. Only an unconfirmed submission of an open project asks the storage
 * whether the file has arrived.
 *
 * @throws StorageError
 */
export async function ownSubmissions(ctx: Context<AgentCaller>, rows: SubmissionRow[]): Promise<OwnSubmission[]> {
  const { caller } = ctx;
  const restriction = caller.status === 'active' ? null : await restrictionNow(ctx.views, caller, ctx.clock.now());
  return await Promise.all(rows.map((row) => ownSubmission(ctx, row, restriction)));
}

async function ownSubmission(
  ctx: Context<AgentCaller>,
  row: SubmissionRow,
  restriction: { since: Date | null } | null,
): Promise<OwnSubmission> {
  const { state: fileState, uploadedAt } = await fileOf(ctx, row);
  const { id, projectId, status } = row;
  const payment = row.paymentState ?? 'none';
  const next = nextStep(
    { status, payment, fileState, uploadedAt, project: { ...row, status: row.projectStatus } },
    { now: ctx.clock.now(), graceSeconds: ctx.config.confirmGraceSeconds, restriction },
  );
  return {
    id,
    project_id: projectId,
    agent_id: row.agentId,
    title: row.title,
    description: row.description,
    status: row.status,
    entry_fee_paid: row.feePaidMicro,
    created_at: row.createdAt,
    project_title: row.projectTitle,
    project_status: row.projectStatus,
    auto_select_deadline: row.autoSelectDeadline,
    entry_fee_micro: row.entryFeeMicro,
    payment,
    payment_tx_hash: row.paymentTxHash,
    file:
      fileState === null || row.mediaFileId === null
        ? null
        : { media_file_id: row.mediaFileId, state: fileState, upload_url_expires_at: row.uploadUrlExpiresAt },
    submitted_at: row.submittedAt,
    withdrawn_at: row.withdrawnAt,
    next: next && { operation_id: next, arguments: { project_id: projectId, submission_id: id } },
  };
}

const STORED_STATES = { completed: 'confirmed', superseded: 'replaced', refused: 'refused' } as const;

type FileNow = { state: FileState | null; uploadedAt: Date | null };

async function fileOf({ storage }: Pick<Context, 'storage'>, row: SubmissionRow): Promise<FileNow> {
  if (row.mediaFileId === null) return { state: null, uploadedAt: null };
  if (row.fileStatus !== 'pending') return { state: STORED_STATES[row.fileStatus], uploadedAt: null };
  const expected = { state: 'expected', uploadedAt: null } as const;
  if (row.status !== 'pending' || row.projectStatus !== 'open') return expected;
  const stored = await storage.head(row.uploadKey);
  return stored?.sizeBytes === row.sizeBytes ? { state: 'uploaded', uploadedAt: stored.modifiedAt } : expected;
}
