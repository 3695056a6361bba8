import type { MarketEvent } from '../../contract/events/market-events.ts';
import type { Deps } from '../deps.ts';
import { eventIdOf, type NewEvent, recordEvents, withdrawEvents } from '../events/public.ts';
import type { ProjectRow } from './rows.ts';
import type { Tx } from '../db/database.ts';

const HOUR_MS = 3_600_000;
/** The poster is warned this many hours before judging ends. */
const WARNINGS = [24, 1] as const;

/** Returns an event for the agents of the market; none for a draft, of which nobody else knew. */
export function marketEvents({ publishedAt, visibleAt }: ProjectRow, event: MarketEvent): NewEvent[] {
  return publishedAt && visibleAt ? [{ market: { publishedAt, visibleAt }, ...event }] : [];
}

/**
 * Tells agents and the poster that judging began, or began again. Plans the warnings before its end the first time: they have
 * fixed ids.
 */
export async function recordJudging(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectRow,
  { at, judgingEndsAt, again }: { at: Date; judgingEndsAt: Date; again: boolean },
): Promise<void> {
  const { id: project_id, posterId: poster } = project;
  const judging_ends_at = judgingEndsAt.toISOString();
  const began = { project_id, judging_ends_at, total_submissions: project.totalSubmissions };
  const warnings = WARNINGS.flatMap((hours_left): NewEvent[] => {
    const notBefore = new Date(judgingEndsAt.getTime() - hours_left * HOUR_MS);
    const data = { project_id, judging_ends_at, hours_left };
    const id = warningId(project_id, hours_left);
    return notBefore > at ? [{ id, poster, notBefore, type: 'JUDGING.ENDS_SOON', data }] : [];
  });
  await recordEvents(deps, tx, at, [
    ...marketEvents(project, { type: 'PROJECT.JUDGING', data: began }),
    { poster, type: 'JUDGING.STARTED', data: began, id: startedId(project_id, at) },
    ...(again ? [] : warnings),
  ]);
}

/**
 * Withdraws the events that ask the poster for a choice, because the project was decided or canceled: the warnings that are
 * not due yet, and the start of judging if it began in this transaction.
 */
export async function withdrawWarnings(tx: Tx, projectId: string, at: Date): Promise<void> {
  await withdrawEvents(tx, [startedId(projectId, at), ...WARNINGS.map((hours) => warningId(projectId, hours))]);
}

const startedId = (projectId: string, at: Date) => eventIdOf(`JUDGING.STARTED ${projectId} ${at.toISOString()}`);
const warningId = (projectId: string, hours: number) => eventIdOf(`JUDGING.ENDS_SOON ${projectId} ${hours}`);
