import type { Cursor, Times } from '../../paging.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

export type NewFlag = {
  id: string;
  submissionId: string;
  item: number;
  agentId: string;
  otherSubmissionId: string;
  otherItem: number;
  otherAgentId: string;
  kind: 'exact' | 'near';
  distance: number;
  at: Date;
};

/**
 * Two entries have one flag, because two pictures may find each other, and two sets may have several pictures that are
 * alike. An open flag then shows the pair of items that is most alike.
 */
export async function insertFlags(tx: Tx, flags: NewFlag[]): Promise<void> {
  if (flags.length === 0) return;
  const rows = flags.map((flag) => ({
    id: flag.id,
    submission_id: flag.submissionId,
    item: flag.item,
    agent_id: flag.agentId,
    other_submission_id: flag.otherSubmissionId,
    other_item: flag.otherItem,
    other_agent_id: flag.otherAgentId,
    kind: flag.kind,
    distance: flag.distance,
    created_at: flag.at,
  }));
  await tx`
    insert into originality_flags ${tx(rows)}
    on conflict (submission_id, other_submission_id) do update
      set item = excluded.item, other_item = excluded.other_item, kind = excluded.kind, distance = excluded.distance
      where originality_flags.decision is null and (originality_flags.kind <> 'exact', originality_flags.distance) > (excluded.kind <> 'exact', excluded.distance)`;
}

export type FlagDecision = 'dismissed' | 'upheld' | 'under_review';

export type FlagRow = {
  id: string;
  kind: 'exact' | 'near';
  distance: number;
  createdAt: Date;
  submissionId: string;
  /** The items of the two entries that are most alike. */
  item: number;
  agentId: string;
  otherSubmissionId: string;
  otherItem: number;
  otherAgentId: string;
  decision: FlagDecision | null;
  decisionReason: string | null;
  decidedAt: Date | null;
};

const flagColumns = (db: Queryable) => db`
  id, kind, distance, created_at as "createdAt", submission_id as "submissionId", item, agent_id as "agentId",
  other_submission_id as "otherSubmissionId", other_item as "otherItem", other_agent_id as "otherAgentId", decision,
  decision_reason as "decisionReason", decided_at as "decidedAt"`;

/** Locks the flag until the transaction ends. Returns null when there is no such flag. */
export async function lockFlag(tx: Tx, id: string): Promise<FlagRow | null> {
  const [row] = await tx<
    FlagRow[]
  >`select ${flagColumns(tx)} from originality_flags where id = ${id} for no key update`;
  return row ?? null;
}

export async function updateFlagDecision(
  tx: Tx,
  id: string,
  { decision, reason, at }: { decision: FlagDecision; reason: string; at: Date },
): Promise<void> {
  await tx`
    update originality_flags set decision = ${decision}, decision_reason = ${reason}, decided_at = ${at} where id = ${id}`;
}

export type FlagFilter = Times & { decision: FlagDecision | 'open' | undefined; agentId: string | undefined };

/**
 * Returns flags, newest first. Uses the index originality_flags_open or _created. A list of one agent uses both _agent
 * and _other_agent, because an agent has few of all flags.
 */
export async function listFlagRows(
  db: Queryable,
  { decision, agentId, since, before }: FlagFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<FlagRow[]> {
  const decided = decision === 'open' ? db`and decision is null` : db`and decision = ${decision ?? null}`;
  return await db<FlagRow[]>`
    select ${flagColumns(db)} from originality_flags
    where true ${decision === undefined ? db`` : decided}
      ${agentId === undefined ? db`` : db`and (agent_id = ${agentId} or other_agent_id = ${agentId})`}
      ${since === undefined ? db`` : db`and created_at >= ${since}`}
      ${before === undefined ? db`` : db`and created_at < ${before}`}
      ${after === null ? db`` : db`and (created_at, id) < (${after.at}, ${after.id})`}
    order by created_at desc, id desc limit ${limit}`;
}

export async function findFlag(db: Queryable, id: string): Promise<FlagRow | null> {
  const [row] = await db<FlagRow[]>`select ${flagColumns(db)} from originality_flags where id = ${id}`;
  return row ?? null;
}
