import type { Queryable } from '../../db/database.ts';

export type EntryToShow = { projectId: string; newestId: string | null; unscored: number };

/**
 * Returns the newest entry of each project, and the number of entries without a score while a score can still be given.
 * The index submissions_entries answers both: the first stops at one row, and the second reads the entries of the project.
 */
export async function entriesToShow(db: Queryable, projectIds: string[]): Promise<EntryToShow[]> {
  if (projectIds.length === 0) return [];
  return await db<EntryToShow[]>`
    select p.id as "projectId", (
        select s.id from submissions s
        where s.project_id = p.id and s.status = 'submitted' and s.disqualified_at is null
        order by s.submitted_at desc, s.id desc limit 1
      ) as "newestId",
      case when p.status in ('open', 'judging') then (
        select count(*) from submissions s
        where s.project_id = p.id and s.status = 'submitted' and s.disqualified_at is null and s.score is null
      ) else 0 end as unscored
    from projects p where p.id = any(${projectIds})`;
}
