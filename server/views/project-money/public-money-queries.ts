import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Selection } from '../../projects/public.ts';
import type { Queryable } from '../../ports/database.ts';

export type PublicProject = {
  id: string;
  status: ProjectStatus;
  selection: Selection | null;
  network: string;
  asset: string;
  payTo: string;
};

/** Null for drafts and for projects in early access. */
export async function findPublic(db: Queryable, projectId: string, now: Date): Promise<PublicProject | null> {
  const [row] = await db<PublicProject[]>`
    select id, status, selection, network, asset, pay_to as "payTo" from projects
    where id = ${projectId} and published_at is not null and visible_at <= ${now}`;
  return row ?? null;
}
