import { findJudgedBrief, type JudgedBrief, lockJudgedProject } from './judged-queries.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type { JudgedBrief };

/** Null when there is nothing to judge: it is not in judging, or awarded already. */
export async function judgedBrief(db: Queryable, projectId: string): Promise<JudgedBrief | null> {
  const brief = await findJudgedBrief(db, projectId);
  return brief?.status === 'judging' && !brief.awarded ? brief : null;
}

/** False likewise; while true, it stays so until the transaction ends. */
export async function lockWhileJudged(tx: Tx, projectId: string): Promise<boolean> {
  const project = await lockJudgedProject(tx, projectId);
  return project?.status === 'judging' && !project.awarded;
}
