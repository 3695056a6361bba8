import { costs, takesEntries } from '../projects/public.ts';
import type { Fragment, Queryable, Tx } from '../db/database.ts';
import type { StoredOriginal } from '../pictures/types.ts';

export type SubmissionRow = {
  id: string;
  project_id: string;
  agent_id: string;
  title: string;
  description: string | null;
  status: 'pending' | 'submitted' | 'withdrawn';
  entry_fee_paid_micro: number;
  created_at: Date;
  submitted_at: Date | null;
  /** When its place lapses; null if it holds none that can lapse. */
  place_until: Date | null;
  /** Whether a key of the scope `owner` claimed its fee. */
  paid_by_owner: boolean;
};

export type MediaFileRow = {
  id: string;
  submission_id: string;
  /** 1 to the project's item count. */
  item: number;
  upload_key: string;
  size_bytes: number;
  status: 'pending' | 'completed' | 'superseded' | 'refused';
  expires_at: Date;
  /** Set while the file waits for its inspection, and kept with the result. */
  confirm_requested_at: Date | null;
};

const submissionColumns = [
  'id',
  'project_id',
  'agent_id',
  'title',
  'description',
  'status',
  'entry_fee_paid_micro',
  'created_at',
  'submitted_at',
  'place_until',
  'paid_by_owner',
] as const;
const mediaColumns = [
  'id',
  'submission_id',
  'item',
  'upload_key',
  'size_bytes',
  'status',
  'expires_at',
  'confirm_requested_at',
] as const;

/** Returns null when the agent already has an intent or an entry in the project. Unique index submissions_once. */
export async function insertIntent(
  tx: Tx,
  intent: { id: string; projectId: string; agentId: string; title: string; description: string | null; now: Date },
): Promise<SubmissionRow | null> {
  const [row] = await tx<SubmissionRow[]>`
    insert into submissions (id, project_id, agent_id, title, description, status, created_at, categories)
    select ${intent.id}, id, ${intent.agentId}, ${intent.title}, ${intent.description}, 'pending', ${intent.now},
      categories_of(specializations)
    from projects where id = ${intent.projectId}
    on conflict do nothing
    returning ${tx(submissionColumns)}`;
  return row ?? null;
}

/** Locks the row until the transaction ends. Transactions that share it can hold it at the same time. */
type Lock = '' | 'for update' | 'for share';

/**
 * Returns the agent's intent or entry in a project: an agent has one of them. Null also for a withdrawn intent, and for another
 * submission than the one that is asked for. Index submissions_once.
 */
export async function findOwnSubmission(
  db: Queryable,
  key: { projectId: string; agentId: string; submissionId?: string },
  lock: Lock = '',
): Promise<SubmissionRow | null> {
  const [row] = await db<SubmissionRow[]>`
    select ${db(submissionColumns)} from submissions
    where project_id = ${key.projectId} and agent_id = ${key.agentId} and status <> 'withdrawn'
      ${key.submissionId === undefined ? db`` : db`and id = ${key.submissionId}`} ${db.unsafe(lock)}`;
  return row ?? null;
}

/** Returns a submission of any agent, also a withdrawn intent. */
export async function findSubmission(
  db: Queryable,
  submissionId: string,
  lock: Lock = '',
): Promise<SubmissionRow | null> {
  const [row] = await db<SubmissionRow[]>`
    select ${db(submissionColumns)} from submissions where id = ${submissionId} ${db.unsafe(lock)}`;
  return row ?? null;
}

/** Withdraws an intent and discards its pending file. The caller holds the submission's lock. */
export async function withdrawIntent(tx: Tx, submissionId: string, now: Date): Promise<void> {
  await Promise.all([
    tx`update submissions set status = 'withdrawn', withdrawn_at = ${now} where id = ${submissionId}`,
    supersedePending(tx, submissionId),
  ]);
}

/** Withdrawn intents count as well. Index submissions_agent (agent_id, created_at). */
export async function countIntentsSince(tx: Queryable, agentId: string, since: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count from submissions where agent_id = ${agentId} and created_at >= ${since}`;
  return row?.count ?? 0;
}

/**
 * Lists unconfirmed submissions in projects that still accept entries, oldest first. An unpaid one counts only if it was
 * created, or got an upload URL, after `activeSince`. Index submissions_state.
 */
export async function listOpenIntents(
  tx: Queryable,
  agentId: string,
  { now, activeSince }: { now: Date; activeSince: Date },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select s.id from submissions s
    where s.agent_id = ${agentId} and s.status = 'pending'
      and (
        s.entry_fee_paid_micro > 0 or s.created_at > ${activeSince}
        or exists (select 1 from media_files f where f.submission_id = s.id and f.created_at > ${activeSince}))
      and ${takesEntries(tx, tx`s.project_id`, now)}
    order by s.created_at, s.id`;
  return rows.map(({ id }) => id);
}

/** Returns part of a statement. A submission's project and agent never change, so reading them takes no lock. */
export function projectIdSql(tx: Tx, submissionId: string): Fragment {
  return tx`(select project_id from submissions where id = ${submissionId})`;
}

export function agentIdSql(tx: Tx, submissionId: string): Fragment {
  return tx`(select agent_id from submissions where id = ${submissionId})`;
}

export async function recordFee(tx: Tx, submissionId: string, paidMicro: number): Promise<void> {
  await tx`update submissions set entry_fee_paid_micro = ${paidMicro} where id = ${submissionId}`;
}

/** Whether the project of an entry has ended, and this payment of its fee goes back to nobody. */
export async function isKeptFee(
  tx: Tx,
  { submissionId, paymentId }: { submissionId: string; paymentId: string },
): Promise<boolean> {
  const rows = await tx`
    select 1 from submissions s join projects p on p.id = s.project_id
    where s.id = ${submissionId} and p.status in ('completed', 'cancelled')
      and not exists (select 1 from payouts where payment_id = ${paymentId})`;
  return rows.length > 0;
}

export async function markSubmitted(
  tx: Tx,
  submissionId: string,
  now: Date,
  generationTimeSeconds: number,
): Promise<void> {
  await tx`
    update submissions set status = 'submitted', submitted_at = ${now}, generation_time_seconds = ${generationTimeSeconds},
      place_until = null
    where id = ${submissionId}`;
}

/** Returns the submission's pending or completed files by item. The index media_files_current allows one for each item. */
export async function findCurrentFiles(db: Queryable, submissionId: string): Promise<MediaFileRow[]> {
  return await db<MediaFileRow[]>`
    select ${db(mediaColumns)} from media_files
    where submission_id = ${submissionId} and status in ('pending', 'completed') order by item`;
}

/** Discards the pending file of an item, or of every item. Keeps files that wait for their inspection. */
export async function supersedePending(tx: Tx, submissionId: string, item: number | null = null): Promise<void> {
  await tx`
    update media_files set status = 'superseded'
    where submission_id = ${submissionId} and status = 'pending' and confirm_requested_at is null
      ${item === null ? tx`` : tx`and item = ${item}`}`;
}

/** Returns false when the submission is confirmed, or an item of it is being confirmed. The caller holds its lock. */
export async function insertMediaFile(
  tx: Tx,
  file: {
    id: string;
    submissionId: string;
    item: number;
    uploadKey: string;
    originalName: string;
    contentType: string;
    sizeBytes: number;
    now: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const { count } = await tx`
    insert into media_files (id, submission_id, item, upload_key, original_name, content_type, size_bytes, status,
      created_at, expires_at)
    select ${file.id}, id, ${file.item}, ${file.uploadKey}, ${file.originalName}, ${file.contentType}, ${file.sizeBytes},
      'pending', ${file.now}, ${file.expiresAt}
    from submissions where id = ${file.submissionId} and status = 'pending'
      and not exists (
        select 1 from media_files where submission_id = ${file.submissionId} and status = 'pending'
          and confirm_requested_at is not null)`;
  return count === 1;
}

type Leftover = { id: string; upload_key: string; expires_at: Date };

/**
 * Returns unneeded uploads whose URL expired before `before`, oldest first. In a project that is not open any more, unconfirmed
 * ones are unneeded, too. Index media_files_leftover.
 */
export async function findLeftoverUploads(
  db: Queryable,
  { before, after, limit }: { before: Date; after: { id: string; expires_at: Date } | null; limit: number },
): Promise<Leftover[]> {
  return await db<Leftover[]>`
    select id, upload_key, expires_at from media_files
    where not upload_removed and expires_at < ${before}
      and (status <> 'pending' or confirm_requested_at is null and not exists (
        select 1 from submissions s join projects p on p.id = s.project_id
        where s.id = media_files.submission_id and p.status = 'open'))
      ${after ? db`and (expires_at, id) > (${after.expires_at}, ${after.id})` : db``}
    order by expires_at, id limit ${limit}`;
}

export async function markEntryUploadsRemoved(db: Queryable, ids: string[]): Promise<void> {
  await db`update media_files set upload_removed = true where id = any(${ids})`;
}

/** Returns where the original of a confirmed picture is stored, and what its inspection found. */
export async function findOriginal(db: Queryable, mediaFileId: string): Promise<StoredOriginal | null> {
  const [row] = await db<StoredOriginal[]>`
    select submission_id as "markId", original_key as key, content_type as "contentType", size_bytes as "sizeBytes", sha256
    from media_files where id = ${mediaFileId} and status = 'completed'`;
  return row ?? null;
}

/** Returns the unpaid intents of an agent in projects that take entries at this fee. Index submissions_state. */
export async function listIntentsAt(
  db: Queryable,
  agentIds: string[],
  { feeMicro, now }: { feeMicro: number; now: Date },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select s.id from submissions s
    where s.agent_id = any(${agentIds}) and s.status = 'pending' and s.entry_fee_paid_micro = 0
      and ${takesEntries(db, db`s.project_id`, now)} and ${costs(db, db`s.project_id`, feeMicro)}
    order by s.id`;
  return rows.map(({ id }) => id);
}
