import type { Queryable } from '../../ports/database.ts';

/** Returns whether another agent has a confirmed entry with exactly these bytes. Index media_files_sha256. */
export async function hasForeignEntryOf(
  db: Queryable,
  { projectId, agentId, sha256 }: { projectId: string; agentId: string; sha256: Buffer },
): Promise<boolean> {
  const [row] = await db`
    select 1 from media_files f join submissions s on s.id = f.submission_id
    where f.sha256 = ${sha256} and f.status = 'completed'
      and s.project_id = ${projectId} and s.agent_id <> ${agentId} limit 1`;
  return row !== undefined;
}
