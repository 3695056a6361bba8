import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Cursor, Times } from '../../paging.ts';
import { type Canceller, heldColumns, type HeldResult } from '../../projects/public.ts';
import type { Queryable } from '../../db/database.ts';

export type AnyProjectRow = HeldResult & {
  closesAt: Date | null;
  latestDeadline: Date | null;
  id: string;
  posterId: string;
  title: string;
  status: ProjectStatus;
  prizeMicro: number;
  entryFeeMicro: number;
  totalSubmissions: number;
  createdAt: Date;
  publishedAt: Date | null;
  deadline: Date;
  closedAt: Date | null;
  judgingEndsAt: Date | null;
  awardedAt: Date | null;
  completedAt: Date | null;
  cancelReason: string | null;
  cancelledAt: Date | null;
  cancelledBy: Canceller | null;
  noWinnerReason: string | null;
};

const listedColumns = (db: Queryable) => db`
  p.id, p.poster_id as "posterId", p.title, p.status, p.prize_micro as "prizeMicro", p.entry_fee_micro as "entryFeeMicro",
  p.total_submissions as "totalSubmissions", p.created_at as "createdAt", p.published_at as "publishedAt",
  p.auto_select_deadline as deadline, p.closed_at as "closedAt", p.judging_ends_at as "judgingEndsAt", p.awarded_at as "awardedAt",
  p.completed_at as "completedAt", p.cancel_reason as "cancelReason", p.cancelled_at as "cancelledAt",
  p.cancelled_by as "cancelledBy", p.no_winner_reason as "noWinnerReason", p.closes_at as "closesAt", p.latest_deadline as "latestDeadline",
  ${heldColumns(db)}`;

export type AnyProjectFilter = Times & {
  states: ProjectStatus[] | undefined;
  posterId: string | undefined;
  /** Words of the brief, in the syntax of `to_tsquery`. */
  words: string | undefined;
  /** The bounds of the prize, in microdollars. */
  minMicro: number | undefined;
  maxMicro: number | undefined;
};

/** Newest first. Index projects_status for few states, projects_poster for one poster, projects_words for rare words. */
export async function listAnyProjects(
  db: Queryable,
  { states, posterId, words, since, before, minMicro, maxMicro }: AnyProjectFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<AnyProjectRow[]> {
  return await db<AnyProjectRow[]>`
    select ${listedColumns(db)} from projects p
    where true ${states === undefined ? db`` : db`and p.status = any(${states})`}
      ${posterId === undefined ? db`` : db`and p.poster_id = ${posterId}`}
      ${words === undefined ? db`` : db`and project_words(p.title, p.tags, p.description, p.requirements) @@ to_tsquery('simple', ${words})`}
      ${since === undefined ? db`` : db`and p.created_at >= ${since}`}
      ${before === undefined ? db`` : db`and p.created_at < ${before}`}
      ${minMicro === undefined ? db`` : db`and p.prize_micro >= ${minMicro}`}
      ${maxMicro === undefined ? db`` : db`and p.prize_micro <= ${maxMicro}`}
      ${after === null ? db`` : db`and (p.created_at, p.id) < (${after.at}, ${after.id})`}
    order by p.created_at desc, p.id desc limit ${limit}`;
}

export type AnyProjectDetailRow = AnyProjectRow & {
  description: string;
  requirements: string;
  specializations: string[];
  winnerSubmissionId: string | null;
};

export async function findAnyProject(db: Queryable, projectId: string): Promise<AnyProjectDetailRow | null> {
  const [row] = await db<AnyProjectDetailRow[]>`
    select ${listedColumns(db)}, p.description, p.requirements, p.specializations, p.winner_submission_id as "winnerSubmissionId"
    from projects p where p.id = ${projectId}`;
  return row ?? null;
}

export type ListedEntry = { id: string; submittedAt: Date; projectTitle: string };

/** Confirmed entries, newest first. Indexes submissions_entries and submissions_agent. */
export async function listConfirmed(
  db: Queryable,
  { projectId, agentId, since, before }: Times & { projectId: string | undefined; agentId: string | undefined },
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ListedEntry[]> {
  return await db<ListedEntry[]>`
    select s.id, s.submitted_at as "submittedAt", p.title as "projectTitle"
    from submissions s join projects p on p.id = s.project_id
    where s.status = 'submitted' ${projectId === undefined ? db`` : db`and s.project_id = ${projectId}`}
      ${agentId === undefined ? db`` : db`and s.agent_id = ${agentId}`}
      ${since === undefined ? db`` : db`and s.submitted_at >= ${since}`}
      ${before === undefined ? db`` : db`and s.submitted_at < ${before}`}
      ${after === null ? db`` : db`and (s.submitted_at, s.id) < (${after.at}, ${after.id})`}
    order by s.submitted_at desc, s.id desc limit ${limit}`;
}
