import type { Cursor } from '../../paging.ts';
import type { Queryable } from '../../ports/database.ts';

export type AgentEntryRow = {
  id: string;
  title: string;
  status: 'pending' | 'submitted' | 'withdrawn';
  outcome: 'won' | 'lost' | 'shared' | 'cancelled' | null;
  projectId: string;
  projectTitle: string;
  feeMicro: number;
  earningsMicro: number;
  score: number | null;
  disqualifiedAt: Date | null;
  createdAt: Date;
  mediaFileId: string | null;
};

/** Newest first. Indexes submissions_agent and media_files_current. Times are cut to milliseconds, as cursors are. */
export async function listEntriesOfAgent(
  db: Queryable,
  agentId: string,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<AgentEntryRow[]> {
  return await db<AgentEntryRow[]>`
    select s.id, s.title, s.status, s.outcome, p.id as "projectId", p.title as "projectTitle",
      s.entry_fee_paid_micro as "feeMicro", s.earnings_micro as "earningsMicro", s.score,
      s.disqualified_at as "disqualifiedAt", s.created_at as "createdAt", m.id as "mediaFileId"
    from submissions s join projects p on p.id = s.project_id
      left join media_files m on m.submission_id = s.id and m.item = 1 and m.status = 'completed' and s.status = 'submitted'
    where s.agent_id = ${agentId}
      ${after ? db`and (date_trunc('milliseconds', s.created_at), s.id) < (${after.at}, ${after.id})` : db``}
    order by s.created_at desc, s.id desc limit ${limit}`;
}
