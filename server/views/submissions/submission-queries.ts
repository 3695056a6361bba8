import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Cursor } from '../../paging.ts';
import type { Queryable } from '../../ports/database.ts';

export type SubmissionStatus = 'pending' | 'submitted' | 'withdrawn';

export type SubmissionRow = {
  id: string;
  projectId: string;
  agentId: string;
  title: string;
  description: string | null;
  status: SubmissionStatus;
  feePaidMicro: number;
  createdAt: Date;
  submittedAt: Date | null;
  withdrawnAt: Date | null;
  projectTitle: string;
  projectStatus: ProjectStatus;
  autoSelectDeadline: Date;
  entryFeeMicro: number;
  maxEntries: number | null;
  placesTaken: number;
  closeRequestedAt: Date | null;
  closesAt: Date | null;
  /** Of the current file or, without one, of the last one; null before the first upload URL. */
  mediaFileId: string | null;
  uploadKey: string;
  sizeBytes: number;
  fileStatus: 'pending' | 'completed' | 'superseded' | 'refused';
  uploadUrlExpiresAt: Date;
  /** Of the payment that counts; null without one. */
  paymentState: 'settling' | 'settled' | null;
  paymentTxHash: string | null;
};

/**
 * The columns of a submission, of its project, its file (indexes media_files_current, media_files_submission), and its
 * payment that counts (index payments_live_subject). `s` is the submission.
 */
const columns = (db: Queryable) => db`
  s.id, s.project_id as "projectId", s.agent_id as "agentId", s.title, s.description, s.status,
  s.entry_fee_paid_micro as "feePaidMicro", s.created_at as "createdAt", s.submitted_at as "submittedAt",
  s.withdrawn_at as "withdrawnAt",
  p.title as "projectTitle", p.status as "projectStatus", p.auto_select_deadline as "autoSelectDeadline",
  p.entry_fee_micro as "entryFeeMicro", p.max_entries as "maxEntries", p.places_taken as "placesTaken",
  p.close_requested_at as "closeRequestedAt", p.closes_at as "closesAt",
  f.id as "mediaFileId", f.upload_key as "uploadKey", f.size_bytes as "sizeBytes", f.status as "fileStatus",
  f.expires_at as "uploadUrlExpiresAt", paid.state as "paymentState", paid.tx_hash as "paymentTxHash"`;

const joined = (db: Queryable) => db`
  join projects p on p.id = s.project_id
  left join media_files f on f.id = coalesce(
    (select id from media_files where submission_id = s.id and status in ('pending', 'completed')),
    (select id from media_files where submission_id = s.id order by created_at desc, id desc limit 1))
  left join payments paid on paid.kind = 'entry_fee' and paid.subject_id = s.id
    and paid.state in ('settling', 'settled') and not paid.late`;

/**
 * Returns a page of the agent's submissions, newest first. Reads one stretch of the index submissions_agent, or of
 * submissions_state for one status, and looks the rest up by key.
 */
export async function listSubmissionRows(
  db: Queryable,
  page: { agentId: string; status: SubmissionStatus | undefined; after: Cursor | null; limit: number },
): Promise<SubmissionRow[]> {
  const { agentId, status, after, limit } = page;
  return await db<SubmissionRow[]>`
    select ${columns(db)} from (
      select * from submissions
      where agent_id = ${agentId} ${status === undefined ? db`` : db`and status = ${status}`}
        ${after === null ? db`` : db`and (created_at, id) < (${after.at}, ${after.id})`}
      order by created_at desc, id desc limit ${limit}
    ) s ${joined(db)}
    order by s.created_at desc, s.id desc`;
}

/** Returns null for another agent's submission and for an unknown one. */
export async function findSubmissionRow(
  db: Queryable,
  { submissionId, agentId }: { submissionId: string; agentId: string },
): Promise<SubmissionRow | null> {
  const [row] = await db<SubmissionRow[]>`
    select ${columns(db)} from submissions s ${joined(db)} where s.id = ${submissionId} and s.agent_id = ${agentId}`;
  return row ?? null;
}
