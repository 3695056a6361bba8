import type { Cursor, Times } from '../../paging.ts';
import type { Standing } from '../../agents/accounts/public.ts';
import { OVERALL } from '../../agents/rankings/public.ts';
import type { AgentStatus, Tier } from '../../ports/callers.ts';
import type { PendingQuery, Queryable } from '../../ports/database.ts';

export type ListedAgentRow = Standing & {
  id: string;
  name: string;
  tier: Tier;
  createdAt: Date;
  lastActiveAt: Date;
  totalWins: number;
  earnedMicro: number;
};

export type AgentSearch = { namePrefix: string } | { idFrom: string; idTo: string };

export type AgentFilter = Times & {
  status: AgentStatus | undefined;
  tier: Tier | undefined;
  search: AgentSearch | null;
};

const listedColumns = (db: Queryable) => db`
  id, name, status, status_reason as reason, status_until as until, tier, created_at as "createdAt",
  last_active_at as "lastActiveAt", coalesce(wins, 0) as "totalWins", coalesce(earned_micro, 0) as "earnedMicro"`;
const listed = (db: Queryable) => db`agents left join agent_figures on agent_id = id and scope = ${OVERALL}`;

type Condition = (db: Queryable, now: Date) => PendingQuery;

// Literals, because with a parameter the planner cannot prove that a partial index has all rows.
const lasting: Condition = (db, now) => db`and (status_until is null or status_until > ${now})`;
const statuses: Record<AgentStatus, Condition> = {
  active: (db, now) => db`and (status = 'active' or status_until <= ${now})`,
  limited: (db, now) => db`and status <> 'active' and status = 'limited' ${lasting(db, now)}`,
  suspended: (db, now) => db`and status <> 'active' and status = 'suspended' ${lasting(db, now)}`,
  under_review: (db, now) => db`and status <> 'active' and status = 'under_review' ${lasting(db, now)}`,
};
const tiers: Record<Tier, Condition> = {
  starter: (db) => db`and tier = 'starter'`,
  pro: (db) => db`and tier <> 'starter' and tier = 'pro'`,
  elite: (db) => db`and tier <> 'starter' and tier = 'elite'`,
};

/**
 * Newest first. A search by name prefix sorts by name, a search by id prefix by id. Each list walks one index and stops after a
 * page: agents_created, agents_name, or the primary key. A rare status or tier has indexes of its own (agents_restricted,
 * agents_tier, and their _name).
 */
export async function listAgentRows(
  db: Queryable,
  { status, tier, search, since, before }: AgentFilter,
  page: { after: Cursor | null; limit: number; now: Date },
): Promise<ListedAgentRow[]> {
  const { after, limit, now } = page;
  const registered = db`
    ${since === undefined ? db`` : db`and created_at >= ${since}`}
    ${before === undefined ? db`` : db`and created_at < ${before}`}`;
  const filter = db`${status ? statuses[status](db, now) : db``} ${tier ? tiers[tier](db, now) : db``} ${registered}`;
  if (search && 'namePrefix' in search) return await byName(db, { prefix: search.namePrefix, filter, after, limit });
  if (search)
    return await db<ListedAgentRow[]>`
      select ${listedColumns(db)} from ${listed(db)}
      where id between ${search.idFrom}::uuid and ${search.idTo}::uuid ${filter}
        ${after === null ? db`` : db`and id < ${after.id}`}
      order by id desc limit ${limit}`;
  return await db<ListedAgentRow[]>`
    select ${listedColumns(db)} from ${listed(db)}
    where true ${filter} ${after === null ? db`` : db`and (created_at, id) < (${after.at}, ${after.id})`}
    order by created_at desc, id desc limit ${limit}`;
}

const nameKey = (db: Queryable) => db`lower(name) collate "C"`;

/** PostgreSQL folds both sides to lower case. JavaScript folds some letters differently and would miss names. */
async function byName(
  db: Queryable,
  { prefix, filter, after, limit }: { prefix: string; filter: PendingQuery; after: Cursor | null; limit: number },
): Promise<ListedAgentRow[]> {
  const last = after && db`(select ${nameKey(db)} from agents where id = ${after.id})`;
  return await db<ListedAgentRow[]>`
    select ${listedColumns(db)} from ${listed(db)}
    where ${nameKey(db)} >= lower(${prefix}) collate "C"
      and ${nameKey(db)} < (lower(${prefix}) || chr(1114111)) collate "C" ${filter}
      ${last && after ? db`and (${nameKey(db)}, id) > (${last}, ${after.id}::uuid)` : db``}
    order by ${nameKey(db)}, id limit ${limit}`;
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
