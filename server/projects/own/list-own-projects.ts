import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { posterOperations } from '../../../contract/posters.ts';
import type { Context } from '../../deps.ts';
import { readPage } from '../../paging.ts';
import type { PosterCaller } from '../../callers.ts';
import { listOwn, listOwnByUrgency } from '../list-queries.ts';
import type { ProjectRow } from '../rows.ts';
import { showOwnProjects } from '../own-view.ts';
import { entriesById, picturesOf } from '../../judging/public.ts';
import type { Queryable } from '../../db/database.ts';

type Operation = typeof posterOperations.listOwnProjects;
type Listed = Output<Operation>['projects'][number];

/** Returns one page of the poster's own projects, with the entry to show and the entries to score of each. */
export async function listOwnProjects(
  ctx: Context<PosterCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { status, order, limit, offset } = query;
  const own = { posterId: ctx.caller.posterId, status, offset };
  const { rows, end } =
    order === 'urgency'
      ? await readPage(
          query,
          (page) => listOwnByUrgency(ctx.reads, { ...own, ...page }),
          ({ urgency, id }) => ({ at: new Date(urgency), id }),
        )
      : await readPage(
          query,
          (page) => listOwn(ctx.reads, { ...own, ...page }),
          ({ createdAt, id }) => ({ at: createdAt, id }),
        );
  const [shown, looks] = await Promise.all([showOwnProjects({ ...ctx, db: ctx.reads }, rows), looksOf(ctx, rows)]);
  const projects = shown.map((project) => ({ ...project, ...(looks.get(project.id) ?? NOTHING) }));
  const pagination = { limit, offset, total_returned: projects.length, ...end };
  return { projects, pagination };
}

type Look = Pick<Listed, 'unscored_submissions' | 'shown_entry'>;
const NOTHING: Look = { unscored_submissions: null, shown_entry: null };

/** The entry that a project shows first (its winner, or else its newest one), and the number of entries without a score. */
async function looksOf(
  { reads, mediaUrls }: Pick<Context<PosterCaller>, 'reads' | 'mediaUrls'>,
  rows: ProjectRow[],
): Promise<Map<string, Look>> {
  const entered = rows.filter(({ totalSubmissions }) => totalSubmissions > 0);
  const found = await entriesToShow(
    reads,
    entered.map(({ id }) => id),
  );
  const winners = new Map(entered.map(({ id, winnerSubmissionId }) => [id, winnerSubmissionId]));
  const ids = found.map(({ projectId, newestId }) => winners.get(projectId) ?? newestId).filter((id) => id !== null);
  const entries = new Map((await entriesById(reads, ids)).map((row) => [row.projectId, row]));
  const isScorable = new Map(rows.map(({ id, status }) => [id, status === 'open' || status === 'judging']));
  return new Map(
    rows.map(({ id }) => {
      const entry = entries.get(id);
      const pictures = entry ? picturesOf(mediaUrls, entry) : null;
      const unscored = found.find(({ projectId }) => projectId === id)?.unscored ?? 0;
      return [
        id,
        {
          unscored_submissions: isScorable.get(id) ? unscored : null,
          shown_entry:
            entry && pictures
              ? {
                  submission_id: entry.id,
                  title: entry.title,
                  thumbnail_url: pictures.thumbnail_url,
                  urls_expire_at: pictures.urls_expire_at,
                  width: pictures.width,
                  height: pictures.height,
                }
              : null,
        },
      ];
    }),
  );
}

export type EntryToShow = { projectId: string; newestId: string | null; unscored: number };

/**
 * Returns the newest entry of each project, and the number of entries without a score while a score can still be given.
 * The index submissions_entries answers both: the first stops at one row, and the second reads the entries of the project.
 */
async function entriesToShow(db: Queryable, projectIds: string[]): Promise<EntryToShow[]> {
  if (projectIds.length === 0) return [];
  return await db<EntryToShow[]>`
    select p.id as "projectId", (
        select s.id from submissions s
        where s.project_id = p.id and s.status = 'submitted' and s.disqualified_at is null
        order by s.submitted_at desc, s.id desc limit 1
      ) as "newestId",
      case when p.status in ('open', 'judging') then (
        select count(*) from submissions s
        where s.project_id = p.id and s.status = 'submitted' and s.disqualified_at is null and s.score is null
      ) else 0 end as unscored
    from projects p where p.id = any(${projectIds})`;
}
