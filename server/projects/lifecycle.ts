import {
  type ProjectForJudging,
  lockJudged,
  updateAwarded,
  updateClosing,
  updateReopened,
} from './lifecycle-queries.ts';
import {
  recordCancellation,
  recordClosing,
  recordCompleted,
  recordJudging,
  recordReopened,
  withdrawWarnings,
} from './project-events.ts';
import { transition } from './queries.ts';
import type { Canceller, Selection } from './rows.ts';
import { projectNotFound } from './state.ts';
import { reviseTerms } from './terms/freeze-terms.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/database.ts';

const HOUR_MS = 3_600_000;

/** `actor` names what moves the project: `poster:<id>`, `operator`, `timer`, or `payout:<id>`. */
export type Mover = { actor: string; at: Date };

/** Locks a project of any poster. @throws DomainError PROJECT_NOT_FOUND */
export async function lockAnyProject(tx: Tx, projectId: string): Promise<ProjectForJudging> {
  const project = await lockJudged(tx, projectId, null);
  if (!project) throw projectNotFound();
  return project;
}

/** Locks the poster's own project. @throws DomainError PROJECT_NOT_FOUND, also for another poster's project */
export async function lockOwnProject(
  tx: Tx,
  { projectId, posterId }: { projectId: string; posterId: string },
): Promise<ProjectForJudging> {
  const project = await lockJudged(tx, projectId, posterId);
  if (!project) throw projectNotFound();
  return project;
}

/**
 * Stops new entries from now on, which makes the next version of the terms. Entries that are under way can be confirmed
 * until `closesAt`.
 */
export async function announceClose(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectForJudging,
  times: { at: Date; closesAt: Date },
): Promise<void> {
  await reviseTerms(tx, project.id, { reason: 'closes_early', ...times });
  await updateClosing(tx, project.id, times);
  await recordClosing(deps, tx, project, times);
}

/** Returns when entries end: at the time to which the poster moved the end by closing early, or at the deadline. */
export function endOfEntriesOf({ closesAt, deadline }: Pick<ProjectForJudging, 'closesAt' | 'deadline'>): Date {
  return closesAt ?? deadline;
}

/** Moves an open project into judging. The judging hours count from the real start of judging. */
export async function beginJudging(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectForJudging,
  { actor, at }: Mover,
): Promise<void> {
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
  await recordJudging(deps, tx, project, { at, judgingEndsAt });
}

/** Records the award, once. The caller holds the lock and creates the payouts in the same transaction. */
export async function markAwarded(
  tx: Tx,
  projectId: string,
  award: { selection: Selection; winnerSubmissionId: string | null; at: Date },
): Promise<void> {
  await Promise.all([updateAwarded(tx, projectId, award), withdrawWarnings(tx, projectId)]);
}

/** Lets the poster judge a project again whose award was taken back. The caller holds the lock. */
export async function markReopened(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectForJudging,
  at: Date,
): Promise<void> {
  const judgingEndsAt = new Date(at.getTime() + project.judgingHours * HOUR_MS);
  await updateReopened(tx, project.id, { at, judgingEndsAt });
  await recordReopened(deps, tx, project, { at, judgingEndsAt });
}

/** Cancels a project. The caller owes any refunds in the same transaction. */
export async function markCancelled(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: Pick<ProjectForJudging, 'id' | 'status' | 'posterId' | 'publishedAt' | 'visibleAt'>,
  {
    actor,
    at,
    reason,
    feeKept = false,
    noWinnerReason = null,
  }: Mover & { reason: string; feeKept?: boolean; noWinnerReason?: string | null },
): Promise<void> {
  await transition(tx, {
    projectId: project.id,
    from: project.status,
    to: 'cancelled',
    actor,
    reason,
    at,
    set: {
      cancel_reason: reason,
      cancelled_at: at,
      cancelled_by: cancellerOf(actor),
      fee_kept: feeKept,
      no_winner_reason: noWinnerReason,
      due_at: null,
      held_at: null,
      held_selection: null,
      held_winner_id: null,
      pay_after: null,
      hold_reason: null,
    },
  });
  await withdrawWarnings(tx, project.id);
  await recordCancellation(deps, tx, project, { at, reason, by: cancellerOf(actor) });
}

function cancellerOf(actor: string): Canceller {
  if (actor === 'operator') return actor;
  return actor.startsWith('poster:') ? 'poster' : 'timer';
}

/** Completes a project after its last payout is booked. */
export async function markCompleted(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectForJudging,
  { actor, at }: Mover,
): Promise<void> {
  await transition(tx, {
    projectId: project.id,
    from: 'judging',
    to: 'completed',
    actor,
    reason: null,
    at,
    set: { completed_at: at, due_at: null },
  });
  await recordCompleted(deps, tx, project, at);
}
