import type { Output, Input } from '../../contract/basics/operation.ts';
import { type posterOperations, SHOWN_PAYOUTS } from '../../contract/posters.ts';
import { specializationCatalog } from '../agents/public.ts';
import type { Deps, Context } from '../deps.ts';
import { payoutOverviews } from '../payouts/public.ts';
import type { ProjectRow } from './rows.ts';
import { projectNotFound } from './state.ts';
import { ownProject } from './views.ts';
import { requireProject } from './locks.ts';
import { listReferenceRows } from './references/reference-queries.ts';
import { ownReferenceOf } from './references/shown-references.ts';
import type { PosterCaller } from '../callers.ts';

export type OwnProject = Output<typeof posterOperations.getOwnProject>['project'];
type ViewDeps = Pick<Deps, 'db' | 'clock'>;

/** Returns projects as their poster sees them, with their payouts. Reads all payouts with two statements. */
export async function showOwnProjects(deps: ViewDeps, rows: ProjectRow[]): Promise<OwnProject[]> {
  const paidOut = rows.filter(({ awardedAt, status }) => awardedAt !== null || status === 'cancelled');
  const [catalog, payouts] = await Promise.all([
    specializationCatalog(deps),
    payoutOverviews(
      deps.db,
      paidOut.map(({ id }) => id),
      SHOWN_PAYOUTS,
    ),
  ]);
  return rows.map((row) => ownProject(row, catalog, payouts.get(row.id) ?? { status: null, payouts: [] }));
}

/** Returns one project as its poster sees it, with its payouts. */
export async function showOwnProject(deps: ViewDeps, row: ProjectRow): Promise<OwnProject> {
  const [project] = await showOwnProjects(deps, [row]);
  if (!project) throw projectNotFound();
  return project;
}

/**
 * Reads the current state of a project of any poster, for a verb that has just changed it.
 *
 * @throws DomainError PROJECT_NOT_FOUND
 */
export async function readProject(deps: ViewDeps, projectId: string): Promise<OwnProject> {
  return await showOwnProject(deps, await requireProject(deps.db, { projectId }));
}

type Operation = typeof posterOperations.getOwnProject;

/** Returns one of the poster's own projects, in any status, with its pictures, also those whose upload is awaited. */
export async function getOwnProject(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const row = await requireProject(ctx.db, { projectId: params.project_id, posterId: ctx.caller.posterId });
  const [project, references] = await Promise.all([showOwnProject(ctx, row), listReferenceRows(ctx.db, row.id)]);
  return { project, references: references.map((each) => ownReferenceOf(ctx, each)) };
}
