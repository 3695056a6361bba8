import { withTransaction } from '../../db/public.ts';
import type { Db, Queryable, Tx } from '../../db/database.ts';
import type { ItemFile, RequestedConfirmation, RequestedFile } from '../types.ts';
import type { ImageFacts, ImageType } from '../../pictures/types.ts';

/** The newest file of an item. `requestedAt` is set while it waits for its inspection, and kept with the result. */
export type ConfirmableFile = ItemFile & {
  uploadKey: string;
  contentType: ImageType;
  sizeBytes: number;
  requestedAt: Date | null;
  itemsNeeded: number | null;
  /** The next request for the same confirmation returns its result. */
  resultDue: boolean;
  /** A pending file was inspected and accepted, and waits for the others of its confirmation. */
  accepted: boolean;
  /** The request that ended without an entry although this file was there. */
  endedAt: Date | null;
};

/**
 * Returns the newest file of each item, by item: the pending or completed one, or else the last one that was replaced or
 * refused. Index media_files_submission.
 */
export async function listItemFiles(db: Queryable, submissionId: string): Promise<ConfirmableFile[]> {
  return await db<ConfirmableFile[]>`
    select distinct on (item) id as "fileId", item, status, refused_reason as "refusedReason", upload_key as "uploadKey",
      content_type as "contentType", size_bytes as "sizeBytes", confirm_requested_at as "requestedAt",
      confirm_items as "itemsNeeded", confirm_result_due as "resultDue", original_key is not null as accepted,
      confirm_ended_at as "endedAt"
    from media_files where submission_id = ${submissionId}
    order by item, (status in ('pending', 'completed')) desc, created_at desc, id desc`;
}

/** Records when the agent requested the confirmation. The caller holds the locks of the project and the submission. */
export async function recordRequest(
  tx: Tx,
  fileIds: string[],
  { at, itemsNeeded }: { at: Date; itemsNeeded: number | null },
): Promise<void> {
  await tx`
    update media_files set confirm_requested_at = ${at}, confirm_items = ${itemsNeeded}, confirm_version = null
    where id = any(${fileIds}) and status = 'pending'`;
}

type RequestKey = Pick<RequestedConfirmation, 'submissionId' | 'requestedAt'>;

/** The pending files of a requested confirmation. */
const requested = (db: Queryable, { submissionId, requestedAt }: RequestKey) => db`
  submission_id = ${submissionId} and status = 'pending' and confirm_requested_at = ${requestedAt}`;

/**
 * Ends a confirmation without a result, so that the agent can request again.
 *
 * @returns the keys of the originals that were kept for it
 */
export async function endConfirmation(db: Queryable, confirmation: RequestKey): Promise<string[]> {
  const rows = await db<{ key: string | null }[]>`
    with ended as (
      select id, original_key from media_files where ${requested(db, confirmation)} for no key update
    )
    update media_files f
    set confirm_ended_at = f.confirm_requested_at, confirm_requested_at = null, confirm_items = null,
      inspection_lease_until = null, original_key = null,
      sha256 = null, perceptual_hash = null, width = null, height = null
    from ended where f.id = ended.id returning ended.original_key as key`;
  return rows.flatMap(({ key }) => key ?? []);
}

/**
 * Makes the next request for the same confirmation return its result. Runs again after a deadlock: a result that is recorded
 * at the same time locks the files of a set in another order.
 */
export async function markResultsDue(db: Db, confirmations: RequestKey[]): Promise<void> {
  const ids = confirmations.map(({ submissionId }) => submissionId);
  const times = confirmations.map(({ requestedAt }) => requestedAt.toISOString());
  await withTransaction(
    db,
    (tx) => tx`
      update media_files set confirm_result_due = true
      from unnest(${ids}::uuid[], ${times}::timestamptz[]) as due (submission_id, at)
      where media_files.submission_id = due.submission_id and confirm_requested_at = due.at`,
  );
}

type FileKey = { fileId: string; requestedAt: Date };

/** Records the version that the request counts for, unless an earlier look has. Returns the recorded one. */
export async function fixVersion(
  db: Queryable,
  { fileId, requestedAt }: FileKey,
  version: string | null,
): Promise<string | null> {
  const ofRequest = db`id = ${fileId} and status = 'pending' and confirm_requested_at = ${requestedAt}`;
  // Every look of a request that waits for a decoder comes here, so only the first one writes.
  const [known] = await db<{ version: string | null }[]>`
    select confirm_version as version from media_files where ${ofRequest}`;
  if (!known || known.version !== null || version === null) return known?.version ?? null;
  const [row] = await db<{ version: string | null }[]>`
    update media_files set confirm_version = coalesce(confirm_version, ${version})
    where ${ofRequest} returning confirm_version as version`;
  return row?.version ?? null;
}

/** Takes the file for this process. False when another process inspects it, or it needs no inspection any more. */
export async function leaseInspection(
  db: Queryable,
  { fileId, requestedAt }: FileKey,
  now: Date,
  leaseUntil: Date,
): Promise<boolean> {
  const { count } = await db`
    update media_files set inspection_lease_until = ${leaseUntil}
    where id = ${fileId} and status = 'pending' and confirm_requested_at = ${requestedAt} and original_key is null
      and (inspection_lease_until is null or inspection_lease_until <= ${now})`;
  return count === 1;
}

/** Lets any process inspect the file from then on, unless another process has taken it in the meantime. */
export async function releaseInspection(
  db: Queryable,
  { fileId, leaseUntil }: { fileId: string; leaseUntil: Date },
  retryAt: Date,
): Promise<void> {
  await db`
    update media_files set inspection_lease_until = ${retryAt}
    where id = ${fileId} and status = 'pending' and inspection_lease_until = ${leaseUntil}`;
}

/** A file that waits for its result, in the transaction that writes it. The caller holds the submission's lock. */
type WaitingFile = RequestKey & { fileId: string };

const waiting = (tx: Tx, { fileId, ...confirmation }: WaitingFile) => tx`
  id = ${fileId} and ${requested(tx, confirmation)} and original_key is null`;

/** Keeps what the inspection found. Returns false when the file waits no more. */
export async function keepAccepted(
  tx: Tx,
  file: WaitingFile,
  { facts, originalKey }: { facts: ImageFacts; originalKey: string },
): Promise<boolean> {
  const { sha256, perceptualHash, width, height } = facts;
  const { count } = await tx`
    update media_files set original_key = ${originalKey}, sha256 = ${sha256},
      perceptual_hash = ${perceptualHash.toString()}, width = ${width}, height = ${height}
    where ${waiting(tx, file)}`;
  return count === 1;
}

/** Returns false when the file waits no more. */
export async function refuseFile(tx: Tx, file: WaitingFile, reason: string): Promise<boolean> {
  const { count } = await tx`
    update media_files set status = 'refused', refused_reason = ${reason} where ${waiting(tx, file)}`;
  return count === 1;
}

/** Takes a file out of its confirmation. Returns false when the file waits no more. */
export async function leaveOut(tx: Tx, file: WaitingFile): Promise<boolean> {
  const { count } = await tx`
    update media_files set confirm_requested_at = null, confirm_items = null, inspection_lease_until = null
    where ${waiting(tx, file)}`;
  return count === 1;
}

/** Completes the accepted files of a confirmation. The caller holds the submission's lock. */
export async function completeFiles(tx: Tx, confirmation: RequestKey, now: Date): Promise<void> {
  await tx`
    update media_files set status = 'completed', completed_at = ${now}
    where ${requested(tx, confirmation)} and original_key is not null`;
}

/** Returns the files of a confirmation that wait for their inspection and that no process inspects. */
export async function findOpenFiles(db: Queryable, confirmation: RequestKey, now: Date): Promise<RequestedFile[]> {
  return await db<RequestedFile[]>`
    select id as "fileId", item, upload_key as "uploadKey", content_type as "contentType", size_bytes as "sizeBytes"
    from media_files
    where ${requested(db, confirmation)} and original_key is null
      and (inspection_lease_until is null or inspection_lease_until <= ${now})
    order by item`;
}

/** Returns whether the project has a file that waits for its confirmation and was requested after `since`. */
async function findInspecting(db: Queryable, projectId: string, since: Date): Promise<boolean> {
  const [row] = await db`
    select 1 from media_files m join submissions s on s.id = m.submission_id
    where m.status = 'pending' and m.confirm_requested_at > ${since} and s.project_id = ${projectId} limit 1`;
  return row !== undefined;
}

type AbandonedFile = RequestedFile & Omit<RequestedConfirmation, 'files'>;

/**
 * Returns confirmations that were requested before `before`, with their files that no process inspects: of each agent
 * the oldest first, so that agents take turns. Index media_files_inspecting.
 */
export async function findAbandoned(
  db: Queryable,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<RequestedConfirmation[]> {
  const files = await db<AbandonedFile[]>`
    select m.id as "fileId", m.item, s.id as "submissionId", s.project_id as "projectId", s.agent_id as "agentId",
      m.upload_key as "uploadKey", m.content_type as "contentType", m.size_bytes as "sizeBytes",
      m.confirm_requested_at as "requestedAt", m.confirm_items as "itemsNeeded"
    from media_files m join submissions s on s.id = m.submission_id
    where m.status = 'pending' and m.confirm_requested_at <= ${before} and m.original_key is null
      and (m.inspection_lease_until is null or m.inspection_lease_until <= ${now})
    order by row_number() over (partition by s.agent_id order by m.confirm_requested_at, m.item), m.confirm_requested_at
    limit ${limit}`;
  const confirmations = new Map<string, RequestedConfirmation>();
  for (const { submissionId, projectId, agentId, requestedAt, itemsNeeded, ...file } of files) {
    const known = confirmations.get(submissionId);
    if (known) known.files.push(file);
    else confirmations.set(submissionId, { submissionId, projectId, agentId, requestedAt, itemsNeeded, files: [file] });
  }
  return [...confirmations.values()];
}

/** The number of files that wait for their inspection, and the time of the oldest request. */
type WaitingInspections = { count: number; oldestAt: Date | null };

/** Index media_files_inspecting. */
export async function countInspecting(db: Queryable): Promise<WaitingInspections> {
  const [row] = await db<[WaitingInspections]>`
    select count(*) as count, min(confirm_requested_at) as "oldestAt" from media_files
    where status = 'pending' and confirm_requested_at is not null and original_key is null`;
  return row;
}

/**
 * How long a project waits for an inspection that was requested in time. Only a storage that fails all the time reaches
 * this bound: the inspection of a picture takes at most seconds of CPU, and its agent cannot request it again.
 */
export const INSPECTION_WAIT_MS = 60 * 60_000;

/**
 * Returns whether the service still inspects a picture whose confirmation was requested in time. The caller holds the
 * project's lock, so that none is requested meanwhile.
 */
export async function inspectionsWait(db: Queryable, projectId: string, now: Date): Promise<boolean> {
  return await findInspecting(db, projectId, new Date(now.getTime() - INSPECTION_WAIT_MS));
}
