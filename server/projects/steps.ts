import type { Queryable, Tier, Tx } from '../context.ts';
import { type EntryProject, findEntryProject, incrementSubmissions, lockEntryProject } from './queries.ts';
import { isVisibleTo, projectNotFound } from './state.ts';

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

/** Whatever its state, staying as it is until the transaction ends. */
export async function lockProject(tx: Tx, projectId: string): Promise<EntryProject | null> {
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

/** One confirmed entry more. */
export async function countSubmission(tx: Tx, projectId: string, now: Date): Promise<void> {
  await incrementSubmissions(tx, projectId, now);
}

function requireVisible(project: EntryProject | null, tier: Tier, now: Date): EntryProject {
  if (!project || !isVisibleTo(project, tier, now)) throw projectNotFound();
  return project;
}
