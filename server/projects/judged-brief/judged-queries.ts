import { BRIEF_TEXTS, type BriefTexts } from '../../../contract/projects/brief.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Queryable, Tx } from '../../db/database.ts';

export type JudgingStatus = { status: ProjectStatus; awarded: boolean };

/** The parts of a project that a judge sees. */
export type BriefForJudge = JudgingStatus & BriefTexts & { specializations: string[]; itemCount: number };

export async function findJudgedBrief(db: Queryable, projectId: string): Promise<BriefForJudge | null> {
  const [row] = await db<BriefForJudge[]>`
    select status, awarded_at is not null as awarded, ${db.unsafe(BRIEF_TEXTS.join(', '))},
      specializations, item_count as "itemCount"
    from projects where id = ${projectId}`;
  return row ?? null;
}

export async function lockJudgedProject(tx: Tx, projectId: string): Promise<JudgingStatus | null> {
  const [row] = await tx<JudgingStatus[]>`
    select status, awarded_at is not null as awarded from projects where id = ${projectId} for no key update`;
  return row ?? null;
}
