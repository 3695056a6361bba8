import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Input } from '../../../contract/basics/operation.ts';
import type { operatorProjectOperations } from '../../../contract/operator/projects.ts';
import { readNewest } from '../../paging.ts';
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

type ProjectQuery = Input<typeof operatorProjectOperations.listProjectsAsOperator>['query'];

/**
 * Newest first. Index projects_status for few states, projects_poster for one poster, projects_words for rare words.
 *
 * @param words of the brief, in the syntax of `to_tsquery`
 */
export async function listAnyProjects(db: Queryable, query: ProjectQuery, words: string | undefined) {
  const { state, poster_id: posterId } = query;
  return await readNewest<AnyProjectRow>(db, query, {
    rows: db`
      select ${listedColumns(db)} from projects p where true ${state === undefined ? db`` : db`and p.status = any(${state})`}
        ${posterId === undefined ? db`` : db`and p.poster_id = ${posterId}`}
        ${words === undefined ? db`` : db`and project_words(p.title, p.tags, p.description, p.requirements) @@ to_tsquery('simple', ${words})`}`,
    at: db`p.created_at`,
    id: db`p.id`,
    amount: db`p.prize_micro`,
    cursorOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
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

type ListedEntry = { id: string; submittedAt: Date; projectTitle: string };

type EntryQuery = Input<typeof operatorProjectOperations.listEntriesAsOperator>['query'];

/** Confirmed entries, newest first. Indexes submissions_entries and submissions_agent. */
export async function listConfirmed(db: Queryable, query: EntryQuery) {
  const { project_id: projectId, agent_id: agentId } = query;
  return await readNewest<ListedEntry>(db, query, {
    rows: db`
      select s.id, s.submitted_at as "submittedAt", p.title as "projectTitle"
      from submissions s join projects p on p.id = s.project_id
      where s.status = 'submitted' ${projectId === undefined ? db`` : db`and s.project_id = ${projectId}`}
        ${agentId === undefined ? db`` : db`and s.agent_id = ${agentId}`}`,
    at: db`s.submitted_at`,
    id: db`s.id`,
    cursorOf: ({ submittedAt, id }) => ({ at: submittedAt, id }),
  });
}
