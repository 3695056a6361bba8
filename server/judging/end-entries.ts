import type { Deps } from '../deps.ts';
import { beginJudging, type JudgedProject, type Mover, confirmableUntil, endOfEntriesOf } from '../projects/public.ts';
import { entriesWait, hasEligibleEntry } from '../entries/public.ts';
import { refundUnconfirmedFees } from './ends/public.ts';
import type { Tx } from '../ports/database.ts';

/** `waiting`: until the last paid entry is confirmed or the grace period ends. `empty`: no entry can be judged. */
export type EndOfEntries = { now: 'judging' } | { now: 'waiting'; until: Date } | { now: 'empty' };

/**
 * Moves an open project into judging if it has an eligible entry and no paid entry is waiting. The caller holds the
 * project's lock and checked that entries have ended.
 */
export async function endEntries(
  deps: Pick<Deps, 'config' | 'newId'>,
  tx: Tx,
  { project, actor, at }: Mover & { project: JudgedProject },
): Promise<EndOfEntries> {
  const until = confirmableUntil({ autoSelectDeadline: endOfEntriesOf(project) }, deps.config.confirmGraceSeconds);
  const [hasEntry, waits] = await Promise.all([
    hasEligibleEntry(tx, project.id),
    at < until ? entriesWait(tx, project) : false,
  ]);
  if (waits) return { now: 'waiting', until };
  if (!hasEntry) return { now: 'empty' };
  await beginJudging(tx, project, { actor, at });
  // The poster shortened the time in which these agents could have confirmed.
  if (endOfEntriesOf(project) < project.deadline) await refundUnconfirmedFees(deps, tx, { projectId: project.id, at });
  return { now: 'judging' };
}
