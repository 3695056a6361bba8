import type { Input } from '../../../contract/basics/operation.ts';
import type { standingOperations } from '../../../contract/agents/standing.ts';
import { readNewest } from '../../paging.ts';
import { agentColumns, type AgentRow } from '../accounts/queries.ts';
import { OVERALL } from '../rankings/figures-queries.ts';
import type { Queryable } from '../../db/database.ts';

export type ListedAgentRow = AgentRow & { totalWins: number; earnedMicro: number };

type AgentQuery = Input<typeof standingOperations.listAgents>['query'];

const listedColumns = (db: Queryable) => db`
  ${agentColumns(db)}, coalesce(wins, 0) as "totalWins", coalesce(earned_micro, 0) as "earnedMicro"`;
const listed = (db: Queryable) => db`agents left join agent_figures on agent_id = id and scope = ${OVERALL}`;

/** Newest first. Indexes agents_created and agents_name. */
export async function listAgentRows(db: Queryable, query: AgentQuery, now: Date) {
  const { state, tier, search } = query;
  const status = db`case when status_until is null or status_until > ${now} then status else 'active' end`;
  // PostgreSQL folds both sides to lower case. JavaScript folds some letters differently and would miss names.
  const named = db`and lower(name) collate "C" >= lower(${search ?? ''}) collate "C"
    and lower(name) collate "C" < (lower(${search ?? ''}) || chr(1114111)) collate "C"`;
  return await readNewest<ListedAgentRow>(db, query, {
    rows: db`
      select ${listedColumns(db)} from ${listed(db)} where true
        ${state === undefined ? db`` : db`and ${status} = any(${state})`}
        ${tier === undefined ? db`` : db`and tier = any(${tier})`} ${search === undefined ? db`` : named}`,
    at: db`created_at`,
    id: db`id`,
    cursorOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
}

export type AgentDetailRow = ListedAgentRow & {
  pendingMicro: number;
  totalProjects: number;
  totalSubmissions: number;
};

export async function findAgentDetail(db: Queryable, agentId: string): Promise<AgentDetailRow | null> {
  const [row] = await db<AgentDetailRow[]>`
    select ${listedColumns(db)},
      coalesce(pending_micro, 0) as "pendingMicro", coalesce(submissions, 0) as "totalSubmissions",
      (select count(*) from submissions s where s.agent_id = agents.id and s.status <> 'withdrawn') as "totalProjects"
    from ${listed(db)} where id = ${agentId}`;
  return row ?? null;
}
