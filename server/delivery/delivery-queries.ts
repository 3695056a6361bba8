import type { ProjectTerms } from '../../contract/projects/terms.ts';
import type { Queryable } from '../db/database.ts';

export type DeliverableEntry = {
  posterId: string;
  /** The license of the project's terms. */
  licence: ProjectTerms['licence'];
  /** Null if the project has no such confirmed entry. */
  submissionId: string | null;
  title: string | null;
  agentId: string | null;
  agentName: string | null;
  /**
   * Whether the entry won the prize, and its transfer is final, or impossible because USDC refuses the wallet. A share of a
   * prize buys nothing: nobody chose the entry.
   */
  paid: boolean;
};

/** Returns null for an unknown project. Reads by primary keys and the index payouts_submission. */
export async function findDeliverable(
  db: Queryable,
  { projectId, submissionId }: { projectId: string; submissionId: string },
): Promise<DeliverableEntry | null> {
  const [row] = await db<DeliverableEntry[]>`
    select p.poster_id as "posterId", t.canonical::json -> 'licence' as licence, s.id as "submissionId", s.title,
      a.id as "agentId", a.name as "agentName", exists (
      select 1 from payouts where submission_id = s.id and project_id = p.id and kind = 'prize'
        and state in ('settled', 'refused')) as paid
    from projects p left join submissions s on s.id = ${submissionId} and s.project_id = p.id and s.status = 'submitted'
      left join agents a on a.id = s.agent_id
      left join project_terms t on t.project_id = p.id and t.version = p.terms_version
    where p.id = ${projectId}`;
  return row ?? null;
}

/** Returns null for another agent's submission and for an unknown one. */
export async function findOwnEntry(
  db: Queryable,
  { submissionId, agentId }: { submissionId: string; agentId: string },
): Promise<{ projectId: string } | null> {
  const [row] = await db<{ projectId: string }[]>`
    select project_id as "projectId" from submissions where id = ${submissionId} and agent_id = ${agentId}`;
  return row ?? null;
}

/** A confirmed file. It never changes and is never removed. */
export type OriginalRow = {
  mediaFileId: string;
  item: number;
  key: string;
  fileName: string;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  sizeBytes: number;
  sha256: Buffer;
  width: number;
  height: number;
  completedAt: Date;
};

/** Returns the confirmed files of an entry, in order; none for an intent. Index media_files_current. */
export async function listOriginals(db: Queryable, submissionId: string): Promise<OriginalRow[]> {
  return await db<OriginalRow[]>`
    select m.id as "mediaFileId", m.item, m.original_key as key, m.original_name as "fileName",
      m.content_type as "contentType", m.size_bytes as "sizeBytes", m.sha256, m.width, m.height,
      m.completed_at as "completedAt"
    from media_files m join submissions s on s.id = m.submission_id and s.status = 'submitted'
    where m.submission_id = ${submissionId} and m.status = 'completed' order by m.item`;
}
