import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Cursor } from '../../paging.ts';
import type { Queryable } from '../../db/database.ts';

export type SubmissionStatus = 'pending' | 'submitted' | 'withdrawn';

export type ShownSubmissionRow = {
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
  placeUntil: Date | null;
  projectTitle: string;
  projectStatus: ProjectStatus;
  autoSelectDeadline: Date;
  entriesEndAt: Date;
  entryFeeMicro: number;
  maxEntries: number | null;
  placesTaken: number;
  closesAt: Date | null;
  confirmGraceSeconds: number;
  itemCount: number;
  /** Belongs to the payment that counts; null without one. */
  paymentState: 'settling' | 'settled' | null;
  paymentTxHash: string | null;
  /** Since when its award waits for a wallet of the agent; null if none does. */
  unclaimedSince: Date | null;
};

/**
 * The columns of a submission, of its project, of its payment that counts (index payments_live_subject), and of its
 * payout (index payouts_submission). `s` is the submission.
 */
const columns = (db: Queryable) => db`
  s.id, s.project_id as "projectId", s.agent_id as "agentId", s.title, s.description, s.status,
  s.entry_fee_paid_micro as "feePaidMicro", s.created_at as "createdAt", s.submitted_at as "submittedAt",
  s.withdrawn_at as "withdrawnAt", s.place_until as "placeUntil",
  p.title as "projectTitle", p.status as "projectStatus", p.auto_select_deadline as "autoSelectDeadline",
  p.entry_fee_micro as "entryFeeMicro", p.max_entries as "maxEntries", p.places_taken as "placesTaken",
  coalesce(p.closes_at, p.auto_select_deadline) as "entriesEndAt", p.closes_at as "closesAt",
  p.confirm_grace_seconds as "confirmGraceSeconds", p.item_count as "itemCount",
  paid.state as "paymentState", paid.tx_hash as "paymentTxHash",
  (select created_at from payouts where submission_id = s.id and state = 'waiting') as "unclaimedSince"`;

const joined = (db: Queryable) => db`
  join projects p on p.id = s.project_id
  left join payments paid on paid.kind = 'entry_fee' and paid.subject_id = s.id
    and paid.state in ('settling', 'settled') and not paid.late`;

/**
 * Returns a page of the agent's submissions, newest first. Reads one stretch of the index submissions_agent, or of
 * submissions_state for one status, and looks the rest up by key.
 */
export async function listSubmissionRows(
  db: Queryable,
  page: { agentId: string; status: SubmissionStatus | undefined; after: Cursor | null; limit: number },
): Promise<ShownSubmissionRow[]> {
  const { agentId, status, after, limit } = page;
  return await db<ShownSubmissionRow[]>`
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
): Promise<ShownSubmissionRow | null> {
  const [row] = await db<ShownSubmissionRow[]>`
    select ${columns(db)} from submissions s ${joined(db)} where s.id = ${submissionId} and s.agent_id = ${agentId}`;
  return row ?? null;
}

/** The newest file of an item. */
export type FileRow = {
  submissionId: string;
  mediaFileId: string;
  item: number;
  uploadKey: string;
  sizeBytes: number;
  status: 'pending' | 'completed' | 'superseded' | 'refused';
  refusedReason: string | null;
  uploadUrlExpiresAt: Date;
};

/** Returns the current file of each item or, without one, the last one. Index media_files_submission. */
export async function listFileRows(db: Queryable, submissionIds: string[]): Promise<FileRow[]> {
  if (submissionIds.length === 0) return [];
  return await db<FileRow[]>`
    select distinct on (submission_id, item) submission_id as "submissionId", id as "mediaFileId", item,
      upload_key as "uploadKey", size_bytes as "sizeBytes", status, refused_reason as "refusedReason",
      expires_at as "uploadUrlExpiresAt"
    from media_files where submission_id = any(${submissionIds})
    order by submission_id, item, (status in ('pending', 'completed')) desc, created_at desc, id desc`;
}
