import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Queryable, Tx } from '../../db/database.ts';

export type JudgingStatus = { status: ProjectStatus; awarded: boolean };

/** The parts of a project that a judge sees. */
export type BriefForJudge = JudgingStatus & {
  title: string;
  description: string;
  requirements: string;
  specializations: string[];
  itemCount: number;
  styleReferences: string[];
  colorPreferences: string[];
  sizeRequirements: string;
};

export async function findJudgedBrief(db: Queryable, projectId: string): Promise<BriefForJudge | null> {
  const [row] = await db<BriefForJudge[]>`
    select status, awarded_at is not null as awarded, title, description, requirements, specializations,
      item_count as "itemCount", style_references as "styleReferences", color_preferences as "colorPreferences",
      size_requirements as "sizeRequirements"
    from projects where id = ${projectId}`;
  return row ?? null;
}

export async function lockJudgedProject(tx: Tx, projectId: string): Promise<JudgingStatus | null> {
  const [row] = await tx<JudgingStatus[]>`
    select status, awarded_at is not null as awarded from projects where id = ${projectId} for no key update`;
  return row ?? null;
}
