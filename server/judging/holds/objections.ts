import { listOfSubmissions, type ObjectionRow } from './objection-queries.ts';
import type { Queryable } from '../../ports/database.ts';

/** Returns the objections of these entries by the id of the entry. */
export async function objectionsOf(db: Queryable, submissionIds: string[]): Promise<Map<string, ObjectionRow>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await listOfSubmissions(db, submissionIds);
  return new Map(rows.map((row) => [row.submissionId, row]));
}

/** Returns an objection in the form of responses. */
export function shownObjection(row: ObjectionRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    submission_id: row.submissionId,
    agent_id: row.agentId,
    reason: row.reason,
    created_at: row.createdAt,
    decision: row.decision,
    decision_reason: row.decisionReason,
    decided_at: row.decidedAt,
  };
}
