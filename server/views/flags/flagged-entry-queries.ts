import type { AgentStatus } from '../../ports/callers.ts';
import type { Queryable } from '../../ports/database.ts';

export type FlaggedEntry = {
  submissionId: string;
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

export async function listFlaggedEntries(db: Queryable, ids: string[], now: Date): Promise<FlaggedEntry[]> {
  return await db<FlaggedEntry[]>`
    select s.id as "submissionId", s.project_id as "projectId", p.title as "projectTitle", s.title,
      s.submitted_at as "submittedAt", s.disqualified_at as "disqualifiedAt", m.id as "mediaFileId",
      a.id as "agentId", a.name as "agentName",
      case when a.status_until <= ${now} then 'active' else a.status end as "agentStatus"
    from submissions s join projects p on p.id = s.project_id join agents a on a.id = s.agent_id
      join lateral (
        select id from media_files where submission_id = s.id and status = 'completed' order by item limit 1) m on true
    where s.id = any(${ids})`;
}
