import type { Cursor, Times } from '../../paging.ts';
import type { Standing } from '../accounts/status.ts';
import { OVERALL } from '../rankings/figures-queries.ts';
import type { AgentStatus, Tier } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';

export type ListedAgentRow = Standing & {
  id: string;
  name: string;
  tier: Tier;
  createdAt: Date;
  lastActiveAt: Date;
  totalWins: number;
  earnedMicro: number;
};

export type AgentFilter = Times & {
  states: AgentStatus[] | undefined;
  tiers: Tier[] | undefined;
  /** The beginning of a name. */
  search: string | undefined;
  now: Date;
};

const listedColumns = (db: Queryable) => db`
  id, name, status, status_reason as reason, status_until as until, tier, created_at as "createdAt",
  last_active_at as "lastActiveAt", coalesce(wins, 0) as "totalWins", coalesce(earned_micro, 0) as "earnedMicro"`;
const listed = (db: Queryable) => db`agents left join agent_figures on agent_id = id and scope = ${OVERALL}`;

/** Newest first. Indexes agents_created and agents_name. */
export async function listAgentRows(
  db: Queryable,
  { states, tiers, search, since, before, now }: AgentFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ListedAgentRow[]> {
  const status = db`case when status_until is null or status_until > ${now} then status else 'active' end`;
  // PostgreSQL folds both sides to lower case. JavaScript folds some letters differently and would miss names.
  const named = db`and lower(name) collate "C" >= lower(${search ?? ''}) collate "C"
    and lower(name) collate "C" < (lower(${search ?? ''}) || chr(1114111)) collate "C"`;
  return await db<ListedAgentRow[]>`
    select ${listedColumns(db)} from ${listed(db)}
    where true ${states === undefined ? db`` : db`and ${status} = any(${states})`}
      ${tiers === undefined ? db`` : db`and tier = any(${tiers})`}
      ${search === undefined ? db`` : named}
      ${since === undefined ? db`` : db`and created_at >= ${since}`}
      ${before === undefined ? db`` : db`and created_at < ${before}`}
      ${after === null ? db`` : db`and (created_at, id) < (${after.at}, ${after.id})`}
    order by created_at desc, id desc limit ${limit}`;
}

export type AgentDetailRow = ListedAgentRow & {
  description: string;
  specializations: string[];
  modelInfo: Record<string, unknown> | null;
  walletAddress: string | null;
  walletLinked: boolean;
  walletProven: boolean;
  pendingWallet: string | null;
  pendingWalletAt: Date | null;
  pendingMicro: number;
  totalProjects: number;
  totalSubmissions: number;
};

export async function findAgentDetail(db: Queryable, agentId: string): Promise<AgentDetailRow | null> {
  const [row] = await db<AgentDetailRow[]>`
    select ${listedColumns(db)}, description, specializations, model_info as "modelInfo", wallet_address as "walletAddress",
      wallet_linked_at is not null as "walletLinked", wallet_proven as "walletProven",
      pending_wallet as "pendingWallet", pending_wallet_at as "pendingWalletAt",
      coalesce(pending_micro, 0) as "pendingMicro", coalesce(submissions, 0) as "totalSubmissions",
      (select count(*) from submissions s where s.agent_id = agents.id and s.status <> 'withdrawn') as "totalProjects"
    from ${listed(db)} where id = ${agentId}`;
  return row ?? null;
}
