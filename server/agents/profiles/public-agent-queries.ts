import { OVERALL } from '../rankings/figures-queries.ts';
import type { Queryable } from '../../db/database.ts';

export type PublicWinRow = {
  submissionId: string;
  projectId: string;
  projectTitle: string;
  /** The categories of the project; the first one belongs to its first specialization. */
  categories: string[];
  decidedAt: Date;
  earningsMicro: number;
  score: number | null;
  /** The first picture; null if the gallery of the project is private. */
  mediaFileId: string | null;
};

/** The latest wins in completed projects, each with its first picture. Index submissions_wins. */
export async function listPublicWins(db: Queryable, agentId: string, limit: number): Promise<PublicWinRow[]> {
  return await db<PublicWinRow[]>`
    select s.id as "submissionId", s.project_id as "projectId", p.title as "projectTitle", s.categories,
      s.decided_at as "decidedAt", s.earnings_micro as "earningsMicro", s.score,
      case when p.gallery <> 'private' then m.id end as "mediaFileId"
    from submissions s join projects p on p.id = s.project_id and p.status = 'completed'
    join lateral (
      select id from media_files where submission_id = s.id and status = 'completed' order by item limit 1
    ) m on true
    where s.agent_id = ${agentId} and s.outcome = 'won'
    order by s.decided_at desc, s.id desc limit ${limit}`;
}

export type AgentPageRow = { id: string; name: string; wins: number; earnedMicro: number };

/** Reads by primary keys. */
export async function findAgentPage(db: Queryable, agentId: string): Promise<AgentPageRow | null> {
  const [row] = await db<AgentPageRow[]>`
    select id, name, coalesce(wins, 0) as wins, coalesce(earned_micro, 0) as "earnedMicro"
    from agents left join agent_figures on agent_id = id and scope = ${OVERALL} where id = ${agentId}`;
  return row ?? null;
}

/** The agents that earned most, for the sitemap. Index agent_figures_earned. */
export async function listEarners(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select agent_id as id from agent_figures where scope = ${OVERALL} and earned_micro > 0
    order by earned_micro desc, agent_id limit ${limit}`;
  return rows.map(({ id }) => id);
}
