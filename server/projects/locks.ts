import {
  type EntryProject,
  findEntryProject,
  findOwn,
  findPublic,
  findPublished,
  lockEntryProject,
  type PublicProject,
} from './queries.ts';
import { isVisibleTo, projectNotFound } from './state.ts';
import type { Fragment, Queryable, Tx } from '../db/database.ts';
import type { Tier } from '../callers.ts';

type Visitor = { projectId: string; tier: Tier; now: Date };

/** Returns a project that this agent may see. @throws DomainError PROJECT_NOT_FOUND */
export async function findProjectForEntry(db: Queryable, { projectId, tier, now }: Visitor): Promise<EntryProject> {
  return requireVisible(await findEntryProject(db, projectId), tier, now);
}

/**
 * Returns a project that this agent may see, and locks it against changes until the transaction ends. The lock is
 * shared, so other agents can enter at the same time.
 *
 * @throws DomainError PROJECT_NOT_FOUND
 */
export async function lockProjectForEntry(tx: Tx, { projectId, tier, now }: Visitor): Promise<EntryProject> {
  return requireVisible(await lockEntryProject(tx, projectId, 'share'), tier, now);
}

/**
 * Works like `lockProjectForEntry` for the claim of one fee at a time. The claim takes a place, which changes the row.
 *
 * @throws DomainError PROJECT_NOT_FOUND
 */
export async function lockProjectForClaim(tx: Tx, { projectId, tier, now }: Visitor): Promise<EntryProject> {
  return requireVisible(await lockEntryProject(tx, projectId, 'no key update'), tier, now);
}

/**
 * Locks a published project in any status until the transaction ends, so that the caller may change its places.
 * `projectId` can be a part of SQL, so that the same statement looks the id up.
 */
export async function lockProject(tx: Tx, projectId: string | Fragment): Promise<EntryProject | null> {
  return await lockEntryProject(tx, projectId, 'no key update');
}

/**
 * Locks a published project in any status while a confirmation is requested. The lock is shared: many agents may
 * request at once, and the timers wait, because they take the exclusive lock.
 */
export async function lockProjectForRequest(tx: Tx, projectId: string): Promise<EntryProject | null> {
  return await lockEntryProject(tx, projectId, 'share');
}

/**
 * Locks a project for one confirmation at a time. The caller then counts an entry, which changes the row. With a shared
 * lock first, two confirmations would wait for each other.
 *
 * @throws DomainError PROJECT_NOT_FOUND
 */
export async function lockProjectForConfirmation(tx: Tx, projectId: string): Promise<EntryProject> {
  const project = await lockEntryProject(tx, projectId, 'no key update');
  if (!project) throw projectNotFound();
  return project;
}

/**
 * Checks that the project belongs to the poster, for data that only its poster may see.
 *
 * @throws DomainError PROJECT_NOT_FOUND, also for another poster's project
 */
export async function requireOwnProject(db: Queryable, key: { projectId: string; posterId: string }): Promise<void> {
  if (!(await findOwn(db, key))) throw projectNotFound();
}

/** Checks that the project is completed, for data that is public from then on. @throws DomainError PROJECT_NOT_FOUND */
export async function requireCompletedProject(db: Queryable, projectId: string): Promise<void> {
  const project = await findPublished(db, projectId);
  if (project?.status !== 'completed') throw projectNotFound();
}

/** Returns the public part of a project. @throws DomainError PROJECT_NOT_FOUND, also in early access */
export async function requirePublicProject(db: Queryable, projectId: string, now: Date): Promise<PublicProject> {
  const project = await findPublic(db, projectId, now);
  if (!project) throw projectNotFound();
  return project;
}

function requireVisible(project: EntryProject | null, tier: Tier, now: Date): EntryProject {
  if (!project || !isVisibleTo(project, tier, now)) throw projectNotFound();
  return project;
}
