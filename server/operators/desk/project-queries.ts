import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorProjectOperations } from '../../../contract/operator/projects.ts';
import { readNewest } from '../../paging.ts';
import { heldColumns, type HeldResult } from '../../projects/public.ts';
import type { Queryable } from '../../db/database.ts';

type Operations = typeof operatorProjectOperations;
type Listed = Output<Operations['listProjectsAsOperator']>['projects'][number];
type Detail = Output<Operations['getProjectAsOperator']>['project'];

export type AnyProjectRow = Omit<Listed, 'poster' | 'result_on_hold' | 'hold_reason' | 'payout_status'> &
  HeldResult & { poster_id: string };

const listedColumns = (db: Queryable) => db`
  p.id, p.poster_id, p.title, p.status, p.prize_micro, p.entry_fee_micro, p.total_submissions, p.created_at, p.published_at,
  p.auto_select_deadline, p.closed_at, p.judging_ends_at, p.awarded_at, p.completed_at, p.cancel_reason, p.cancelled_at,
  p.cancelled_by, p.no_winner_reason, p.closes_at, p.latest_deadline, ${heldColumns(db)}`;

type ProjectQuery = Input<Operations['listProjectsAsOperator']>['query'];

/**
 * Newest first. Index projects_status for few states, projects_poster for one poster, projects_words for rare words, together
 * with projects_unpublished_words: the condition that is always true lets the planner use both.
 *
 * @param words of the brief, in the syntax of `to_tsquery`
 */
export async function listAnyProjects(db: Queryable, query: ProjectQuery, words: string | undefined) {
  const { state, poster_id: posterId } = query;
  return await readNewest<AnyProjectRow>(db, query, {
    rows: db`
      select ${listedColumns(db)} from projects p where (p.published_at is null or p.published_at is not null)
        ${state === undefined ? db`` : db`and p.status = any(${state})`}
        ${posterId === undefined ? db`` : db`and p.poster_id = ${posterId}`}
        ${words === undefined ? db`` : db`and project_words(p.title, p.tags, p.description, p.requirements) @@ to_tsquery('simple', ${words})`}`,
    at: db`p.created_at`,
    id: db`p.id`,
    amount: db`p.prize_micro`,
    cursorOf: ({ created_at: at, id }) => ({ at, id }),
  });
}

type DetailRow = AnyProjectRow &
  Pick<Detail, 'description' | 'requirements' | 'specializations' | 'winner_submission_id'>;

export async function findAnyProject(db: Queryable, projectId: string): Promise<DetailRow | null> {
  const [row] = await db<DetailRow[]>`
    select ${listedColumns(db)}, p.description, p.requirements, p.specializations, p.winner_submission_id
    from projects p where p.id = ${projectId}`;
  return row ?? null;
}

type ListedEntry = { id: string; submittedAt: Date; projectTitle: string };

type EntryQuery = Input<Operations['listEntriesAsOperator']>['query'];

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
