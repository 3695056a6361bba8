import { findJudgedBrief, type BriefForJudge, lockJudgedProject } from './judged-queries.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/** Returns the brief for a judge; null if the project is not in judging or is already awarded. */
export async function briefForJudge(db: Queryable, projectId: string): Promise<BriefForJudge | null> {
  const brief = await findJudgedBrief(db, projectId);
  return brief?.status === 'judging' && !brief.awarded ? brief : null;
}

/**
 * Locks a project and returns whether it is in judging and not awarded. The lock keeps the answer true until the
 * transaction ends.
 */
export async function lockWhileJudged(tx: Tx, projectId: string): Promise<boolean> {
  const project = await lockJudgedProject(tx, projectId);
  return project?.status === 'judging' && !project.awarded;
}
