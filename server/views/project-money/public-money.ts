import { findPublic, type PublicProject } from './public-money-queries.ts';
import { projectNotFound } from '../../projects/public.ts';
import type { Queryable } from '../../ports/database.ts';

/** Returns the public part of a project. @throws DomainError PROJECT_NOT_FOUND */
export async function publicProject(db: Queryable, projectId: string, now: Date): Promise<PublicProject> {
  const project = await findPublic(db, projectId, now);
  if (!project) throw projectNotFound();
  return project;
}
