import { marketEvents, recordJudging, withdrawWarnings } from './project-events.ts';
import { setProject, transition } from './queries.ts';
import { type Canceller, type ProjectRow, type Selection, shownColumns } from './rows.ts';
import { releaseReferences } from './references/reference-queries.ts';
import { reviseTerms } from './terms/freeze-terms.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import type { Queryable, Tx } from '../db/database.ts';

const HOUR_MS = 3_600_000;

/** `actor` names what moves the project: `poster:<id>`, `operator`, `timer`, or `payout:<id>`. */
export type Mover = { actor: string; at: Date };

export type DueProject = ProjectRow & { dueAt: Date };

/**
 * Locks the project that has been due the longest and returns it; null if none is due. Skips projects that another
 * transaction holds or has just moved. Index projects_due.
 */
export async function lockNextDueProject(tx: Tx, now: Date): Promise<DueProject | null> {
  const [row] = await tx<DueProject[]>`
    select ${shownColumns(tx)} from projects p where due_at <= ${now}
    order by due_at limit 1 for no key update skip locked`;
  return row ?? null;
}

/** Sets when the timers check the project next; null if time no longer moves it. */
export async function scheduleNextCheck(tx: Tx, projectId: string, dueAt: Date | null): Promise<void> {
  await setProject(tx, projectId, { due_at: dueAt });
}

/**
 * Postpones a project that could not be moved. Returns false if another transaction has changed `due_at` since: the newer
 * time is right.
 */
export async function postponeProject(tx: Tx, seen: { id: string; dueAt: Date }, until: Date): Promise<boolean> {
  const { count } = await tx`update projects set due_at = ${until} where id = ${seen.id} and due_at = ${seen.dueAt}`;
  return count === 1;
}

/** Moves `due_at` to an earlier time, never to a later one. Leaves projects alone that time does not move (null). */
export async function bringForward(db: Queryable, projectId: string, dueAt: Date): Promise<void> {
  await db`update projects set due_at = ${dueAt} where id = ${projectId} and due_at > ${dueAt}`;
}

/**
 * Stops new entries from now on, which makes the next version of the terms. Entries that are under way can be confirmed
 * until `closesAt`. Returns the project as it is then.
 */
export async function announceClose(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
  { at, closesAt }: { at: Date; closesAt: Date },
): Promise<ProjectRow> {
  await reviseTerms(tx, project.id, { reason: 'closes_early', at, closesAt });
  const data = { project_id: project.id, closes_at: closesAt.toISOString() };
  await recordEvents(deps, tx, at, marketEvents(project, { type: 'PROJECT.CLOSING', data }));
  return await setProject(tx, project.id, {
    closes_at: closesAt,
    due_at: closesAt,
    updated_at: at,
  });
}

/** Keeps the poster's choice, which counts when entries end: an entry, nobody, or none yet. The caller holds the lock. */
export async function planWinner(
  tx: Tx,
  projectId: string,
  { submissionId, noWinnerReason, at }: { submissionId: string | null; noWinnerReason: string | null; at: Date },
): Promise<void> {
  await setProject(tx, projectId, {
    planned_winner_id: submissionId,
    no_winner_reason: noWinnerReason,
    updated_at: at,
  });
}

/** Moves an open project into judging. The judging hours count from the real start of judging. */
export async function beginJudging(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
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
  await recordJudging(deps, tx, project, { at, judgingEndsAt, again: false });
}

/** The columns of a result that is not on hold. */
const NO_HOLD = { held_at: null, held_selection: null, held_winner_id: null, pay_after: null, hold_reason: null };

/**
 * Puts an automatic result on hold, or replaces it. The caller holds the lock. The timers look at the project again
 * when it is to be paid, unless the operator holds the payout.
 */
export async function holdResult(
  tx: Tx,
  { id, holdReason }: ProjectRow,
  held: { selection: 'ai' | 'silence'; winnerId: string | null; at: Date; payAfter: Date },
): Promise<void> {
  await decide(tx, id, {
    held_at: held.at,
    held_selection: held.selection,
    held_winner_id: held.winnerId,
    pay_after: held.payAfter,
    due_at: holdReason === null ? held.payAfter : null,
    updated_at: held.at,
  });
}

/** Holds the payout of a result on hold for the given reason, until the operator releases it. */
export async function holdHeldPayout(
  tx: Tx,
  projectId: string,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await setProject(tx, projectId, { hold_reason: reason, due_at: null, updated_at: at });
}

/** Records the award, once. The caller holds the lock and creates the payouts in the same transaction. */
export async function markAwarded(
  tx: Tx,
  projectId: string,
  { selection, winnerSubmissionId, at }: { selection: Selection; winnerSubmissionId: string | null; at: Date },
): Promise<void> {
  const award = { awarded_at: at, selection, winner_submission_id: winnerSubmissionId, due_at: null, updated_at: at };
  await Promise.all([decide(tx, projectId, { ...award, ...NO_HOLD }), withdrawWarnings(tx, projectId, at)]);
}

/** Changes columns of a project in judging that is not awarded. */
async function decide(tx: Tx, projectId: string, set: Record<string, Date | string | null>): Promise<void> {
  const { count } = await tx`
    update projects set ${tx.set(set)} where id = ${projectId} and status = 'judging' and awarded_at is null`;
  if (count !== 1) throw new Error(`project ${projectId} cannot be decided any more`);
}

/**
 * Gives the award of a project that is not completed to another entry. The caller holds the lock; the prize is not paid
 * to the first one.
 */
export async function changeWinner(
  tx: Tx,
  projectId: string,
  { submissionId, at }: { submissionId: string; at: Date },
): Promise<void> {
  await setProject(tx, projectId, { winner_submission_id: submissionId, updated_at: at });
}

/** Lets the poster judge a project again whose award was taken back. The caller holds the lock. */
export async function markReopened(deps: Pick<Deps, 'newId'>, tx: Tx, project: ProjectRow, at: Date): Promise<void> {
  const judgingEndsAt = new Date(at.getTime() + project.judgingHours * HOUR_MS);
  await setProject(tx, project.id, {
    awarded_at: null,
    selection: null,
    winner_submission_id: null,
    judging_ends_at: judgingEndsAt,
    due_at: judgingEndsAt,
    updated_at: at,
  });
  await recordJudging(deps, tx, project, { at, judgingEndsAt, again: true });
}

/** Cancels a project. The caller owes any refunds in the same transaction. */
export async function markCancelled(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
  {
    actor,
    at,
    reason,
    feeKept = false,
    noWinnerReason = null,
  }: Mover & { reason: string; feeKept?: boolean; noWinnerReason?: string | null },
): Promise<void> {
  const by = cancellerOf(actor);
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
      cancelled_by: by,
      fee_kept: feeKept,
      no_winner_reason: noWinnerReason,
      due_at: null,
      ...NO_HOLD,
    },
  });
  await withdrawWarnings(tx, project.id, at);
  if (project.totalSubmissions === 0) await releaseReferences(tx, project.id);
  const event = { type: 'PROJECT.CANCELLED', data: { project_id: project.id, reason, cancelled_by: by } } as const;
  const told = marketEvents(project, event);
  if (told.length > 0) await recordEvents(deps, tx, at, [...told, { poster: project.posterId, ...event }]);
}

function cancellerOf(actor: string): Canceller {
  if (actor === 'operator') return actor;
  return actor.startsWith('poster:') ? 'poster' : 'timer';
}

/** Completes a project after its last payout is booked. */
export async function markCompleted(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
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
  const data = { project_id: project.id, winner_submission_id: project.winnerSubmissionId };
  await recordEvents(deps, tx, at, marketEvents(project, { type: 'PROJECT.COMPLETED', data }));
}

/**
 * Counts the open projects that a poster has canceled since a time. Other cancellations of the poster
 * wait until the transaction ends. The caller holds the lock of its project. Index projects_poster.
 */
export async function countCancelled(tx: Tx, posterId: string, since: Date): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`cancellations:${posterId}`}, 0))`;
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from projects
    where poster_id = ${posterId} and cancelled_at >= ${since} and cancelled_by = 'poster' and published_at is not null
      and no_winner_reason is null`;
  return row.count;
}
