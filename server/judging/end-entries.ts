import type { Deps } from '../deps.ts';
import { beginJudging, type JudgedProject, type Mover, confirmableUntil } from '../projects/public.ts';
import { entriesWait, hasEligibleEntry } from '../entries/public.ts';
import type { Tx } from '../ports/database.ts';

/** `waiting` until the last entry is confirmed that was paid in time, or the grace is over. `empty`: nothing to judge. */
export type EndOfEntries = { now: 'judging' } | { now: 'waiting'; until: Date } | { now: 'empty' };

/** Takes an open project, whose deadline is `deadline` or has passed, into judging if it may. The caller holds its lock. */
export async function endEntries(
  { config }: Pick<Deps, 'config'>,
  tx: Tx,
  { project, deadline, actor, at }: Mover & { project: JudgedProject; deadline: Date },
): Promise<EndOfEntries> {
  const until = confirmableUntil({ autoSelectDeadline: deadline }, config.confirmGraceSeconds);
  const [hasEntry, waits] = await Promise.all([
    hasEligibleEntry(tx, project.id),
    at < until ? entriesWait(tx, project) : false,
  ]);
  if (waits) return { now: 'waiting', until };
  if (!hasEntry) return { now: 'empty' };
  await beginJudging(tx, project, { actor, at });
  return { now: 'judging' };
}
