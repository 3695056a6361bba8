import type { Cursor, Times } from '../../paging.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

export type ObjectionDecision = 'upheld' | 'dismissed' | 'lapsed';

export type ObjectionRow = {
  id: string;
  projectId: string;
  submissionId: string;
  agentId: string;
  reason: string;
  createdAt: Date;
  decision: ObjectionDecision | null;
  decisionReason: string | null;
  decidedAt: Date | null;
};

const columns = (db: Queryable) => db`
  id, project_id as "projectId", submission_id as "submissionId", agent_id as "agentId", reason,
  created_at as "createdAt", decision, decision_reason as "decisionReason", decided_at as "decidedAt"`;

type NewObjection = Pick<ObjectionRow, 'id' | 'projectId' | 'submissionId' | 'agentId' | 'reason'> & { at: Date };

/** Returns null if the entry has an objection already. */
export async function insertObjection(tx: Tx, given: NewObjection): Promise<ObjectionRow | null> {
  const [row] = await tx<ObjectionRow[]>`
    insert into objections (id, project_id, submission_id, agent_id, reason, created_at)
    values (${given.id}, ${given.projectId}, ${given.submissionId}, ${given.agentId}, ${given.reason}, ${given.at})
    on conflict (submission_id) do nothing
    returning ${columns(tx)}`;
  return row ?? null;
}

export async function findObjection(db: Queryable, id: string): Promise<ObjectionRow | null> {
  const [row] = await db<ObjectionRow[]>`select ${columns(db)} from objections where id = ${id}`;
  return row ?? null;
}

/** Each entry has at most one. Index objections_submission_id_key. */
export async function listOfSubmissions(db: Queryable, submissionIds: string[]): Promise<ObjectionRow[]> {
  return await db<ObjectionRow[]>`select ${columns(db)} from objections where submission_id = any(${submissionIds})`;
}

/** The caller holds the project's lock, which every change of an objection takes first. */
export async function updateDecision(
  tx: Tx,
  id: string,
  { decision, reason, at }: { decision: ObjectionDecision; reason: string; at: Date },
): Promise<ObjectionRow | null> {
  const [row] = await tx<ObjectionRow[]>`
    update objections set decision = ${decision}, decision_reason = ${reason}, decided_at = ${at}
    where id = ${id} and decision is null returning ${columns(tx)}`;
  return row ?? null;
}

/** Returns whether the project has an objection without a decision. Index objections_project. */
export async function hasOpenObjection(db: Queryable, projectId: string): Promise<boolean> {
  const [row] = await db`select 1 from objections where project_id = ${projectId} and decision is null limit 1`;
  return row !== undefined;
}

/** Ends the open objections of a project whose result becomes final. Index objections_project. */
export async function lapseObjections(tx: Tx, projectId: string, at: Date): Promise<void> {
  await tx`
    update objections set decision = 'lapsed', decided_at = ${at} where project_id = ${projectId} and decision is null`;
}

export type ObjectionFilter = Times & {
  decision: ObjectionDecision | 'open' | undefined;
  projectId: string | undefined;
};

/** Newest first. Index objections_open or objections_created. */
export async function listObjectionRows(
  db: Queryable,
  { decision, projectId, since, before }: ObjectionFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ObjectionRow[]> {
  const decided = decision === 'open' ? db`and decision is null` : db`and decision = ${decision ?? null}`;
  return await db<ObjectionRow[]>`
    select ${columns(db)} from objections
    where true ${decision === undefined ? db`` : decided}
      ${projectId === undefined ? db`` : db`and project_id = ${projectId}`}
      ${since === undefined ? db`` : db`and created_at >= ${since}`}
      ${before === undefined ? db`` : db`and created_at < ${before}`}
      ${after === null ? db`` : db`and (created_at, id) < (${after.at}, ${after.id})`}
    order by created_at desc, id desc limit ${limit}`;
}
