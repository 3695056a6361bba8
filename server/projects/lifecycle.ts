import {
  bringForward,
  type DueProject,
  type JudgedProject,
  lockJudged,
  lockNextDue,
  postponeDue,
  updateAwarded,
  updateDue,
} from './lifecycle-queries.ts';
import { moveDeadline, transition } from './queries.ts';
import type { Selection } from './rows.ts';
import { projectNotFound } from './state.ts';
import type { Db, Tx } from '../ports/database.ts';

export type { DueProject, JudgedProject };

const HOUR_MS = 3_600_000;

/** Who moves a project on: `poster:<id>`, `operator`, `timer`, `payout:<id>`. */
export type Mover = { actor: string; at: Date };

/** The next project that time moves on and nobody else is moving, locked; null when none is due. */
export async function lockNextDueProject(tx: Tx, now: Date): Promise<DueProject | null> {
  return await lockNextDue(tx, now);
}

/** Whosever it is, locked. @throws DomainError PROJECT_NOT_FOUND */
export async function lockAnyProject(tx: Tx, projectId: string): Promise<JudgedProject> {
  const project = await lockJudged(tx, projectId, null);
  if (!project) throw projectNotFound();
  return project;
}

/** The poster's own, locked. @throws DomainError PROJECT_NOT_FOUND for a foreign one too */
export async function lockOwnProject(
  tx: Tx,
  { projectId, posterId }: { projectId: string; posterId: string },
): Promise<JudgedProject> {
  const project = await lockJudged(tx, projectId, posterId);
  if (!project) throw projectNotFound();
  return project;
}

/** When the timers look at it next; null: time moves it no more. */
export async function lookAgainAt(tx: Tx, projectId: string, dueAt: Date | null): Promise<void> {
  await updateDue(tx, projectId, dueAt);
}

/** What the timers waited for has come. */
export async function lookAgainSoon(db: Db, projectId: string, now: Date): Promise<void> {
  await bringForward(db, projectId, now);
}

/** Puts a project off that could not be moved, unless somebody moved it meanwhile. */
export async function postponeProject(db: Db, seen: DueProject, until: Date): Promise<void> {
  await postponeDue(db, seen, until);
}

/** Takes no new entries from now on; what is paid may be confirmed until `dueAt`. */
export async function endEntriesNow(tx: Tx, projectId: string, { at, dueAt }: { at: Date; dueAt: Date }) {
  await moveDeadline(tx, projectId, { deadline: at, dueAt, now: at });
}

/** The poster has its hours from when judging really begins. */
export async function beginJudging(tx: Tx, project: JudgedProject, { actor, at }: Mover): Promise<void> {
  const judgingEndsAt = new Date(at.getTime() + project.judgingHours * HOUR_MS);
  await transition(tx, {
    projectId: project.id,
    from: 'open',
    to: 'judging',
    actor,
    reason: null,
    at,
    set: { closed_at: at, judging_ends_at: judgingEndsAt, due_at: judgingEndsAt },
  });
}

/** Settles who gets the prize, once; the caller holds the lock and owes the payouts in the same transaction. */
export async function markAwarded(
  tx: Tx,
  projectId: string,
  award: { selection: Selection; winnerSubmissionId: string | null; at: Date },
): Promise<void> {
  await updateAwarded(tx, projectId, award);
}

export async function markCancelled(
  tx: Tx,
  project: Pick<JudgedProject, 'id' | 'status'>,
  { actor, at, reason }: Mover & { reason: string },
): Promise<void> {
  await transition(tx, {
    projectId: project.id,
    from: project.status,
    to: 'cancelled',
    actor,
    reason,
    at,
    set: { cancel_reason: reason, due_at: null },
  });
}

export async function markCompleted(tx: Tx, projectId: string, { actor, at }: Mover): Promise<void> {
  await transition(tx, {
    projectId,
    from: 'judging',
    to: 'completed',
    actor,
    reason: null,
    at,
    set: { completed_at: at, due_at: null },
  });
}
