import { heldColumns, type HeldResult, ownColumns, type OwnProjectRow, type Selection } from './rows.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';

/** The columns that decide how a project moves on. */
export type ProjectForJudging = Pick<
  OwnProjectRow,
  | 'id'
  | 'posterId'
  | 'status'
  | 'deadline'
  | 'entryFeeMicro'
  | 'prizeMicro'
  | 'platformFeePpm'
  | 'judgingHours'
  | 'awardedAt'
  | 'winnerSubmissionId'
  | 'closeRequestedAt'
  | 'closesAt'
  | 'publishedAt'
  | 'visibleAt'
  | 'totalSubmissions'
  | 'plannedWinnerId'
  | 'noWinnerReason'
  | keyof HeldResult
> & {
  fundingWallet: string | null;
  confirmGraceSeconds: number;
};

/** `timeOver` is when time alone should have moved the project. Postponing a project does not change it. */
export type DueProject = ProjectForJudging & { dueAt: Date; timeOver: Date };

const judgedColumns = (db: Queryable) => db`
  id, poster_id as "posterId", status, auto_select_deadline as deadline, entry_fee_micro as "entryFeeMicro",
  prize_micro as "prizeMicro", platform_fee_ppm as "platformFeePpm", judging_hours as "judgingHours",
  awarded_at as "awardedAt", winner_submission_id as "winnerSubmissionId",
  funding_wallet as "fundingWallet", confirm_grace_seconds as "confirmGraceSeconds", published_at as "publishedAt", visible_at as "visibleAt",
  total_submissions as "totalSubmissions", close_requested_at as "closeRequestedAt", closes_at as "closesAt",
  planned_winner_id as "plannedWinnerId", no_winner_reason as "noWinnerReason", ${heldColumns(db)}`;

/**
 * Locks the project that has been due the longest and returns it; null if none is due. Skips projects that another
 * transaction holds or has just moved. Index projects_due.
 */
export async function lockNextDueProject(tx: Tx, now: Date): Promise<DueProject | null> {
  const [row] = await tx<DueProject[]>`
    select ${judgedColumns(tx)}, due_at as "dueAt", 
      coalesce(pay_after, judging_ends_at, closes_at, auto_select_deadline) as "timeOver"
    from projects where due_at <= ${now} order by due_at limit 1 for no key update skip locked`;
  return row ?? null;
}

/** Locks a project for judging or cancellation. Entering, paying for, and judging a project wait for each other. */
export async function lockJudged(
  tx: Tx,
  projectId: string,
  posterId: string | null,
): Promise<ProjectForJudging | null> {
  const [row] = await tx<ProjectForJudging[]>`
    select ${judgedColumns(tx)} from projects
    where id = ${projectId} ${posterId === null ? tx`` : tx`and poster_id = ${posterId}`} for no key update`;
  return row ?? null;
}

/** Sets when the timers check the project next; null if time no longer moves it. */
export async function scheduleNextCheck(tx: Tx, projectId: string, dueAt: Date | null): Promise<void> {
  await tx`update projects set due_at = ${dueAt} where id = ${projectId}`;
}

/** Lets the timer look at an undecided project, also at one whose result an operator holds. */
export async function scheduleIfUndecided(tx: Tx, projectId: string, dueAt: Date): Promise<void> {
  await tx`update projects set due_at = ${dueAt} where id = ${projectId} and awarded_at is null`;
}

/**
 * Postpones a project that could not be moved, unless another transaction has changed `due_at` since: the newer time is
 * right.
 */
export async function postponeProject(db: Db, seen: { id: string; dueAt: Date }, until: Date): Promise<void> {
  await db`update projects set due_at = ${until} where id = ${seen.id} and due_at = ${seen.dueAt}`;
}

/** Moves `due_at` to an earlier time, never to a later one. Leaves projects alone that time does not move (null). */
export async function bringForward(db: Db, projectId: string, dueAt: Date): Promise<void> {
  await db`update projects set due_at = ${dueAt} where id = ${projectId} and due_at > ${dueAt}`;
}

/** The columns of a result that is not on hold. */
const noHold = (tx: Tx) => tx`
  held_at = null, held_selection = null, held_winner_id = null, pay_after = null, hold_reason = null`;

export type Held = { selection: 'ai' | 'silence'; winnerId: string | null; at: Date; payAfter: Date };

/**
 * Puts an automatic result on hold, or replaces it. The caller holds the lock. The timers look at the project again
 * when it is to be paid, unless the operator holds the payout.
 */
export async function holdResult(tx: Tx, projectId: string, held: Held): Promise<void> {
  const { count } = await tx`
    update projects set held_at = ${held.at}, held_selection = ${held.selection}, held_winner_id = ${held.winnerId},
      pay_after = ${held.payAfter}, due_at = case when hold_reason is null then ${held.payAfter}::timestamptz end,
      updated_at = ${held.at}
    where id = ${projectId} and status = 'judging' and awarded_at is null`;
  if (count !== 1) throw new Error(`the result of project ${projectId} cannot be put on hold any more`);
}

/** Holds the payout of a result on hold for the given reason, until the operator releases it. */
export async function holdHeldPayout(
  tx: Tx,
  projectId: string,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await tx`
    update projects set hold_reason = ${reason}, due_at = null, updated_at = ${at}
    where id = ${projectId} and held_at is not null`;
}

/** Announces an early close: from now on the project takes no new entries. */
export async function updateClosing(
  tx: Tx,
  projectId: string,
  { at, closesAt }: { at: Date; closesAt: Date },
): Promise<void> {
  await tx`
    update projects set close_requested_at = ${at}, closes_at = ${closesAt}, due_at = ${closesAt}, updated_at = ${at}
    where id = ${projectId} and status = 'open'`;
}

/** Keeps the poster's choice, which counts when entries end: an entry, nobody, or none yet. The caller holds the lock. */
export async function planWinner(
  tx: Tx,
  projectId: string,
  { submissionId, noWinnerReason, at }: { submissionId: string | null; noWinnerReason: string | null; at: Date },
): Promise<void> {
  await tx`
    update projects set planned_winner_id = ${submissionId}, no_winner_reason = ${noWinnerReason}, updated_at = ${at}
    where id = ${projectId} and status = 'open'`;
}

export async function updateAwarded(
  tx: Tx,
  projectId: string,
  award: { selection: Selection; winnerSubmissionId: string | null; at: Date },
): Promise<void> {
  const { count } = await tx`
    update projects set awarded_at = ${award.at}, selection = ${award.selection},
      winner_submission_id = ${award.winnerSubmissionId}, due_at = null, updated_at = ${award.at}, ${noHold(tx)}
    where id = ${projectId} and status = 'judging' and awarded_at is null`;
  if (count !== 1) throw new Error(`project ${projectId} cannot be awarded any more`);
}

/** Makes an awarded project undecided again. The caller holds the lock. */
export async function updateReopened(
  tx: Tx,
  projectId: string,
  { at, judgingEndsAt }: { at: Date; judgingEndsAt: Date },
): Promise<void> {
  await tx`
    update projects set awarded_at = null, selection = null, winner_submission_id = null, judging_ends_at = ${judgingEndsAt},
      due_at = ${judgingEndsAt}, updated_at = ${at}
    where id = ${projectId} and status = 'judging'`;
}

/** Returns a project of any poster. */
export async function findProject(db: Queryable, projectId: string): Promise<OwnProjectRow | null> {
  const [row] = await db<OwnProjectRow[]>`select ${ownColumns(db)} from projects p where p.id = ${projectId}`;
  return row ?? null;
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
  await tx`
    update projects set winner_submission_id = ${submissionId}, updated_at = ${at}
    where id = ${projectId} and status = 'judging' and awarded_at is not null`;
}

/**
 * Counts the open projects that a poster has canceled since a time. One cancellation of a poster at a time gets an answer,
 * until its transaction ends. The caller holds the lock of its project. Index projects_poster.
 */
export async function countCancelled(tx: Tx, posterId: string, since: Date): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`cancellations:${posterId}`}, 0))`;
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from projects
    where poster_id = ${posterId} and cancelled_at >= ${since} and cancelled_by = 'poster' and published_at is not null
      and no_winner_reason is null`;
  return row.count;
}
