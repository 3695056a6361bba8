import type { Deps } from '../deps.ts';
import { beginJudging, type JudgedProject, type Mover, confirmableUntil } from '../projects/public.ts';
import { entriesWait, hasEligibleEntry, inspectionsWait } from '../entries/public.ts';
import type { Tx } from '../ports/database.ts';

// How often a project is checked while a picture is inspected after the grace period.
const INSPECTION_CHECK_MS = 1_000;

/**
 * `waiting`: until the last paid entry is confirmed, or the grace period ends and no picture is inspected any more.
 * `empty`: no entry can be judged.
 */
export type EndOfEntries = { now: 'judging' } | { now: 'waiting'; until: Date } | { now: 'empty' };

/**
 * Moves an open project into judging if it has an eligible entry and no paid entry is waiting. A confirmation that was
 * requested in time counts as waiting while its picture is inspected, also after the grace period. The caller holds the
 * project's lock and checked the deadline.
 */
export async function endEntries(
  { config }: Pick<Deps, 'config'>,
  tx: Tx,
  { project, deadline, actor, at }: Mover & { project: JudgedProject; deadline: Date },
): Promise<EndOfEntries> {
  const until = confirmableUntil({ autoSelectDeadline: deadline }, config.confirmGraceSeconds);
  const [hasEntry, waits, inspects] = await Promise.all([
    hasEligibleEntry(tx, project.id),
    at < until ? entriesWait(tx, project) : false,
    inspectionsWait(tx, project.id, at),
  ]);
  if (waits) return { now: 'waiting', until };
  if (inspects) return { now: 'waiting', until: new Date(at.getTime() + INSPECTION_CHECK_MS) };
  if (!hasEntry) return { now: 'empty' };
  await beginJudging(tx, project, { actor, at });
  return { now: 'judging' };
}
