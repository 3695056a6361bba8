import { BRIEF_TEXTS, type BriefTexts } from '../../../contract/projects/brief.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Queryable, Tx } from '../../db/database.ts';

export type JudgingStatus = { status: ProjectStatus; awarded: boolean };

/** The parts of a project that a judge sees. */
export type BriefForJudge = JudgingStatus & BriefTexts & { specializations: string[]; itemCount: number };

async function findJudgedBrief(db: Queryable, projectId: string): Promise<BriefForJudge | null> {
  const [row] = await db<BriefForJudge[]>`
    select status, awarded_at is not null as awarded, ${db.unsafe(BRIEF_TEXTS.join(', '))},
      specializations, item_count as "itemCount"
    from projects where id = ${projectId}`;
  return row ?? null;
}

async function lockJudgedProject(tx: Tx, projectId: string): Promise<JudgingStatus | null> {
  const [row] = await tx<JudgingStatus[]>`
    select status, awarded_at is not null as awarded from projects where id = ${projectId} for no key update`;
  return row ?? null;
}

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
