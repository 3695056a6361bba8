import type { Fragment } from 'postgres';
import {
  type EntryProject,
  findEntryProject,
  findOwn,
  findPublished,
  incrementSubmissions,
  lockEntryProject,
} from './queries.ts';
import { isVisibleTo, projectNotFound } from './state.ts';
import type { Queryable, Tx } from '../ports/database.ts';
import type { Tier } from '../ports/callers.ts';

export type { EntryProject };

type Visitor = { projectId: string; tier: Tier; now: Date };

/** The project as this agent may see it. @throws DomainError PROJECT_NOT_FOUND */
export async function findProjectForEntry(db: Queryable, { projectId, tier, now }: Visitor): Promise<EntryProject> {
  return requireVisible(await findEntryProject(db, projectId), tier, now);
}

/** The same, staying as it is until the transaction ends; other agents may enter meanwhile. @throws DomainError PROJECT_NOT_FOUND */
export async function lockProjectForEntry(tx: Tx, { projectId, tier, now }: Visitor): Promise<EntryProject> {
  return requireVisible(await lockEntryProject(tx, projectId, 'share'), tier, now);
}

/** Whatever its state, staying as it is until the transaction ends; the id may be looked up by the statement itself. */
export async function lockProject(tx: Tx, projectId: string | Fragment): Promise<EntryProject | null> {
  return await lockEntryProject(tx, projectId, 'share');
}

/**
 * For whoever will count an entry of it: one at a time. Taking the shared lock first would have two confirmations
 * wait for each other.
 */
export async function lockProjectForConfirmation(tx: Tx, projectId: string): Promise<EntryProject> {
  const project = await lockEntryProject(tx, projectId, 'no key update');
  if (!project) throw projectNotFound();
  return project;
}

/** For what its poster alone may see. @throws DomainError PROJECT_NOT_FOUND, for a foreign one as for one that is missing */
export async function requireOwnProject(db: Queryable, key: { projectId: string; posterId: string }): Promise<void> {
  if (!(await findOwn(db, key))) throw projectNotFound();
}

/** For what everyone may see once it has ended well. @throws DomainError PROJECT_NOT_FOUND */
export async function requireCompletedProject(db: Queryable, projectId: string): Promise<void> {
  const project = await findPublished(db, projectId);
  if (project?.status !== 'completed') throw projectNotFound();
}

/** One confirmed entry more. */
export async function countSubmission(tx: Tx, projectId: string, now: Date): Promise<void> {
  await incrementSubmissions(tx, projectId, now);
}

function requireVisible(project: EntryProject | null, tier: Tier, now: Date): EntryProject {
  if (!project || !isVisibleTo(project, tier, now)) throw projectNotFound();
  return project;
}
