import { ownColumns, type OwnProjectRow, type Selection } from './rows.ts';
import type { Db, Queryable, Tx } from '../ports/database.ts';

/** The columns that decide how a project moves on. */
export type JudgedProject = Pick<
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
> & { fundingWallet: string | null };

/** `timeOver` is when time alone should have moved the project. Postponing a project does not change it. */
export type DueProject = JudgedProject & { dueAt: Date; timeOver: Date };

const judgedColumns = (db: Queryable) => db`
  id, poster_id as "posterId", status, auto_select_deadline as deadline, entry_fee_micro as "entryFeeMicro",
  prize_micro as "prizeMicro", platform_fee_ppm as "platformFeePpm", judging_hours as "judgingHours",
  awarded_at as "awardedAt", winner_submission_id as "winnerSubmissionId",
  funding_wallet as "fundingWallet"`;

/**
 * Locks the project that has been due the longest and returns it. Skips projects that another transaction holds or has
 * just moved. Index projects_due.
 */
export async function lockNextDue(tx: Tx, now: Date): Promise<DueProject | null> {
  const [row] = await tx<DueProject[]>`
    select ${judgedColumns(tx)}, due_at as "dueAt", coalesce(judging_ends_at, auto_select_deadline) as "timeOver"
    from projects where due_at <= ${now} order by due_at limit 1 for no key update skip locked`;
  return row ?? null;
}

/** Locks a project for judging or cancellation. Entering, paying for, and judging a project wait for each other. */
export async function lockJudged(tx: Tx, projectId: string, posterId: string | null): Promise<JudgedProject | null> {
  const [row] = await tx<JudgedProject[]>`
    select ${judgedColumns(tx)} from projects
    where id = ${projectId} ${posterId === null ? tx`` : tx`and poster_id = ${posterId}`} for no key update`;
  return row ?? null;
}

export async function updateDue(tx: Tx, projectId: string, dueAt: Date | null): Promise<void> {
  await tx`update projects set due_at = ${dueAt} where id = ${projectId}`;
}

/** Postpones a project unless another transaction has changed `due_at` since: the newer time is right. */
export async function postponeDue(db: Db, seen: { id: string; dueAt: Date }, until: Date): Promise<void> {
  await db`update projects set due_at = ${until} where id = ${seen.id} and due_at = ${seen.dueAt}`;
}

/** Moves `due_at` to an earlier time, never to a later one. Leaves projects alone that time does not move (null). */
export async function bringForward(db: Db, projectId: string, dueAt: Date): Promise<void> {
  await db`update projects set due_at = ${dueAt} where id = ${projectId} and due_at > ${dueAt}`;
}

export async function updateAwarded(
  tx: Tx,
  projectId: string,
  award: { selection: Selection; winnerSubmissionId: string | null; at: Date },
): Promise<void> {
  const { count } = await tx`
    update projects set awarded_at = ${award.at}, selection = ${award.selection},
      winner_submission_id = ${award.winnerSubmissionId}, due_at = null, updated_at = ${award.at}
    where id = ${projectId} and status = 'judging' and awarded_at is null`;
  if (count !== 1) throw new Error(`project ${projectId} can not be awarded any more`);
}

/** Returns a project of any poster. */
export async function findProject(db: Queryable, projectId: string): Promise<OwnProjectRow | null> {
  const [row] = await db<OwnProjectRow[]>`select ${ownColumns(db)} from projects p where p.id = ${projectId}`;
  return row ?? null;
}
