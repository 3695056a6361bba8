import type { Deps } from '../deps.ts';
import { eventIdOf, type NewEvent, recordEvents, withdrawEvents } from '../events/public.ts';
import type { ProjectForJudging } from './lifecycle-queries.ts';
import type { Canceller } from './rows.ts';
import type { Tx } from '../db/database.ts';

const HOUR_MS = 3_600_000;
/** The poster is warned this many hours before judging ends. */
const WARNINGS = [24, 1] as const;

type EventDeps = Pick<Deps, 'newId'>;
/** A project with what its events need. Both times are null in a draft, which has no events. */
type EventProject = Pick<ProjectForJudging, 'id' | 'posterId' | 'publishedAt' | 'visibleAt'>;

/** Returns the readers of the market's events of a project; null for a draft. */
function marketOf({ publishedAt, visibleAt }: EventProject) {
  return publishedAt && visibleAt ? { publishedAt, visibleAt } : null;
}

/** Tells agents that the poster closes the project early. */
export async function recordClosing(
  deps: EventDeps,
  tx: Tx,
  project: EventProject,
  { at, closesAt }: { at: Date; closesAt: Date },
): Promise<void> {
  const market = marketOf(project);
  if (!market) return;
  const data = { project_id: project.id, closes_at: closesAt.toISOString() };
  await recordEvents(deps, tx, at, [{ market, type: 'PROJECT.CLOSING', data }]);
}

/** Tells agents that the deadline moved. */
export async function recordDeadlineMoved(
  deps: EventDeps,
  tx: Tx,
  project: EventProject & { deadline: Date },
  { at, deadline }: { at: Date; deadline: Date },
): Promise<void> {
  const market = marketOf(project);
  if (!market) return;
  const data = {
    project_id: project.id,
    auto_select_deadline: deadline.toISOString(),
    previous_deadline: project.deadline.toISOString(),
  };
  await recordEvents(deps, tx, at, [{ market, type: 'PROJECT.DEADLINE_MOVED', data }]);
}

/** Tells agents and the poster that judging began, and plans the warnings before its end. */
export async function recordJudging(
  deps: EventDeps,
  tx: Tx,
  project: EventProject & Pick<ProjectForJudging, 'totalSubmissions'>,
  { at, judgingEndsAt }: { at: Date; judgingEndsAt: Date },
): Promise<void> {
  const { id: project_id, posterId: poster } = project;
  const market = marketOf(project);
  const judging_ends_at = judgingEndsAt.toISOString();
  const began = { project_id, judging_ends_at, total_submissions: project.totalSubmissions };
  const warnings = WARNINGS.flatMap((hours_left): NewEvent[] => {
    const notBefore = new Date(judgingEndsAt.getTime() - hours_left * HOUR_MS);
    const data = { project_id, judging_ends_at, hours_left };
    const id = warningId(project_id, hours_left);
    return notBefore > at ? [{ id, poster, notBefore, type: 'JUDGING.ENDS_SOON', data }] : [];
  });
  await recordEvents(deps, tx, at, [
    ...(market ? [{ market, type: 'PROJECT.JUDGING', data: began } as const] : []),
    { poster, type: 'JUDGING.STARTED', data: began },
    ...warnings,
  ]);
}

/** Tells agents and the poster that judging began again. The warnings before its end were planned once, with fixed ids. */
export async function recordReopened(
  deps: EventDeps,
  tx: Tx,
  project: EventProject & Pick<ProjectForJudging, 'totalSubmissions'>,
  { at, judgingEndsAt }: { at: Date; judgingEndsAt: Date },
): Promise<void> {
  const market = marketOf(project);
  const data = {
    project_id: project.id,
    judging_ends_at: judgingEndsAt.toISOString(),
    total_submissions: project.totalSubmissions,
  };
  await recordEvents(deps, tx, at, [
    ...(market ? [{ market, type: 'PROJECT.JUDGING', data } as const] : []),
    { poster: project.posterId, type: 'JUDGING.STARTED', data },
  ]);
}

/** Withdraws the warnings that were not given, because the project was decided or canceled. */
export async function withdrawWarnings(tx: Tx, projectId: string): Promise<void> {
  await withdrawEvents(
    tx,
    WARNINGS.map((hours) => warningId(projectId, hours)),
  );
}

const warningId = (projectId: string, hours: number) => eventIdOf(`JUDGING.ENDS_SOON ${projectId} ${hours}`);

/** Tells agents that the result is final. */
export async function recordCompleted(
  deps: EventDeps,
  tx: Tx,
  project: EventProject & Pick<ProjectForJudging, 'winnerSubmissionId'>,
  at: Date,
): Promise<void> {
  const market = marketOf(project);
  if (!market) return;
  const data = { project_id: project.id, winner_submission_id: project.winnerSubmissionId };
  await recordEvents(deps, tx, at, [{ market, type: 'PROJECT.COMPLETED', data }]);
}

/** Tells agents and the poster that the project was canceled. Nobody else knew of a draft. */
export async function recordCancellation(
  deps: EventDeps,
  tx: Tx,
  project: EventProject,
  { at, reason, by }: { at: Date; reason: string; by: Canceller },
): Promise<void> {
  const market = marketOf(project);
  if (!market) return;
  const data = { project_id: project.id, reason, cancelled_by: by };
  await recordEvents(deps, tx, at, [
    { market, type: 'PROJECT.CANCELLED', data },
    { poster: project.posterId, type: 'PROJECT.CANCELLED', data },
  ]);
}
