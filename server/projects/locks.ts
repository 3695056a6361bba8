import {
  type EnteredProject,
  findProject,
  findPublished,
  type Lock,
  lockForEntry,
  type ProjectKey,
} from './queries.ts';
import type { ProjectRow, PublishedProject } from './rows.ts';
import { isVisibleTo, projectNotFound } from './state.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Tier } from '../callers.ts';

type Visitor = { projectId: string; tier: Tier; now: Date };

/** Returns a project that this agent may see. @throws DomainError PROJECT_NOT_FOUND */
export async function findProjectForEntry(db: Queryable, visitor: Visitor): Promise<PublishedProject> {
  return requireVisible(await findPublished(db, visitor.projectId), visitor);
}

/**
 * Locks a project that this agent may see. Agents enter at the same time under the lock `for share`; the claim of a fee
 * changes the row, so one at a time gets the lock `for no key update`.
 *
 * @throws DomainError PROJECT_NOT_FOUND
 */
export async function lockProjectForEntry(
  tx: Tx,
  visitor: Visitor,
  lock: 'for share' | 'for no key update',
): Promise<EnteredProject> {
  return requireVisible(await lockForEntry(tx, visitor.projectId, lock), visitor);
}

function requireVisible<P extends { visibleAt: Date }>(project: P | null, { tier, now }: Visitor): P {
  if (!project || !isVisibleTo(project, tier, now)) throw projectNotFound();
  return project;
}

/**
 * Returns a project, and with `posterId` only one of this poster.
 *
 * @throws DomainError PROJECT_NOT_FOUND, also for another poster's project
 */
export async function requireProject(db: Queryable, key: ProjectKey, lock: Lock = ''): Promise<ProjectRow> {
  const project = await findProject(db, key, lock);
  if (!project) throw projectNotFound();
  return project;
}

/**
 * Locks a project for a decision about it. Entering, paying for, and judging a project wait for each other.
 *
 * @throws DomainError PROJECT_NOT_FOUND
 */
export async function lockProject(tx: Tx, key: ProjectKey): Promise<ProjectRow> {
  return await requireProject(tx, key, 'for no key update');
}

/** Checks that the project is completed, for data that is public from then on. @throws DomainError PROJECT_NOT_FOUND */
export async function requireCompletedProject(db: Queryable, projectId: string): Promise<ProjectRow> {
  const project = await findPublished(db, projectId);
  if (project?.status !== 'completed') throw projectNotFound();
  return project;
}

/** Returns a project that everybody sees. @throws DomainError PROJECT_NOT_FOUND, also in early access */
export async function requirePublicProject(db: Queryable, projectId: string, now: Date): Promise<PublishedProject> {
  return await findProjectForEntry(db, { projectId, tier: 'starter', now });
}
