import { mediaColumns, type MediaFileRow } from '../public.ts';
import type { Queryable, Tx } from '../../ports/database.ts';
import type { RequestedFile } from '../../ports/inspections.ts';

/**
 * Returns the file that a confirmation is about: the pending or completed one, or a refused one whose result the agent
 * has not received. Index media_files_submission.
 */
export async function findFileToConfirm(tx: Tx, submissionId: string): Promise<MediaFileRow | null> {
  const [row] = await tx<MediaFileRow[]>`
    select ${tx(mediaColumns)} from media_files
    where submission_id = ${submissionId}
      and (status in ('pending', 'completed') or (status = 'refused' and confirm_result_due))
    order by created_at desc limit 1`;
  return row ?? null;
}

export async function findFile(db: Queryable, fileId: string): Promise<MediaFileRow | null> {
  const [row] = await db<MediaFileRow[]>`select ${db(mediaColumns)} from media_files where id = ${fileId}`;
  return row ?? null;
}

/** Records when the agent requested the confirmation. The caller holds the locks of the project and the submission. */
export async function recordRequest(tx: Tx, fileId: string, at: Date): Promise<void> {
  await tx`update media_files set confirm_requested_at = ${at} where id = ${fileId} and status = 'pending'`;
}

/** Ends a request without a result, so that the agent can request again. */
export async function endRequest(db: Queryable, { fileId, requestedAt }: RequestedFile): Promise<void> {
  await db`
    update media_files set confirm_requested_at = null, inspection_lease_until = null
    where id = ${fileId} and status = 'pending' and confirm_requested_at = ${requestedAt}`;
}

/** Makes the next request for the same confirmation return its result. */
export async function markResultsDue(db: Queryable, fileIds: string[]): Promise<void> {
  await db`update media_files set confirm_result_due = true where id = any(${fileIds})`;
}

/** Takes the file for this process. False when another process inspects it, or this request has ended. */
export async function leaseInspection(
  db: Queryable,
  { fileId, requestedAt }: RequestedFile,
  now: Date,
  leaseUntil: Date,
): Promise<boolean> {
  const { count } = await db`
    update media_files set inspection_lease_until = ${leaseUntil}
    where id = ${fileId} and status = 'pending' and confirm_requested_at = ${requestedAt}
      and (inspection_lease_until is null or inspection_lease_until <= ${now})`;
  return count === 1;
}

/** Lets any process inspect the file from then on. */
export async function releaseInspection(db: Queryable, fileId: string, retryAt: Date): Promise<void> {
  await db`update media_files set inspection_lease_until = ${retryAt} where id = ${fileId} and status = 'pending'`;
}

/** Returns false when the file is not pending any more. */
export async function refuseFile(db: Queryable, fileId: string, reason: string): Promise<boolean> {
  const { count } = await db`
    update media_files set status = 'refused', refused_reason = ${reason} where id = ${fileId} and status = 'pending'`;
  return count === 1;
}

/** Returns whether the project has a file that waits for its inspection and was requested after `since`. */
export async function findInspecting(db: Queryable, projectId: string, since: Date): Promise<boolean> {
  const [row] = await db`
    select 1 from media_files m join submissions s on s.id = m.submission_id
    where m.status = 'pending' and m.confirm_requested_at > ${since} and s.project_id = ${projectId} limit 1`;
  return row !== undefined;
}

/**
 * Returns files that were requested before `before` and that no process inspects: of each agent the oldest first, so
 * that agents take turns. Index media_files_inspecting.
 */
export async function findAbandoned(
  db: Queryable,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<RequestedFile[]> {
  return await db<RequestedFile[]>`
    select m.id as "fileId", s.id as "submissionId", s.project_id as "projectId", s.agent_id as "agentId",
      m.upload_key as "uploadKey", m.content_type as "contentType", m.size_bytes as "sizeBytes",
      m.confirm_requested_at as "requestedAt"
    from media_files m join submissions s on s.id = m.submission_id
    where m.status = 'pending' and m.confirm_requested_at <= ${before}
      and (m.inspection_lease_until is null or m.inspection_lease_until <= ${now})
    order by row_number() over (partition by s.agent_id order by m.confirm_requested_at), m.confirm_requested_at
    limit ${limit}`;
}

/** The number of files that wait for their inspection, and the time of the oldest request. */
type WaitingInspections = { count: number; oldestAt: Date | null };

/** Index media_files_inspecting. */
export async function countInspecting(db: Queryable): Promise<WaitingInspections> {
  const [row] = await db<[WaitingInspections]>`
    select count(*) as count, min(confirm_requested_at) as "oldestAt" from media_files
    where status = 'pending' and confirm_requested_at is not null`;
  return row;
}
