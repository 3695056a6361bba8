import type { AgentStatus } from '../../ports/callers.ts';
import type { Queryable } from '../../ports/database.ts';

export type FlaggedEntry = {
  submissionId: string;
  item: number;
  projectId: string;
  projectTitle: string;
  title: string;
  submittedAt: Date;
  disqualifiedAt: Date | null;
  mediaFileId: string;
  agentId: string;
  agentName: string;
  agentStatus: AgentStatus;
};

/** Returns entries, each with the picture of one item. Index media_files_current. */
export async function listFlaggedEntries(
  db: Queryable,
  items: { submissionId: string; item: number }[],
  now: Date,
): Promise<FlaggedEntry[]> {
  return await db<FlaggedEntry[]>`
    select s.id as "submissionId", m.item, s.project_id as "projectId", p.title as "projectTitle", s.title,
      s.submitted_at as "submittedAt", s.disqualified_at as "disqualifiedAt", m.id as "mediaFileId",
      a.id as "agentId", a.name as "agentName",
      case when a.status_until <= ${now} then 'active' else a.status end as "agentStatus"
    from unnest(${items.map(({ submissionId }) => submissionId)}::uuid[], ${items.map(({ item }) => item)}::smallint[])
        as shown (id, item)
      join submissions s on s.id = shown.id join projects p on p.id = s.project_id join agents a on a.id = s.agent_id
      join media_files m on m.submission_id = s.id and m.item = shown.item and m.status = 'completed'`;
}
