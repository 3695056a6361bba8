import type { Deps } from '../deps.ts';
import { beginJudging, type ProjectRow, type Mover, confirmableUntil } from '../projects/public.ts';
import { inspectionsWait, entriesOf, entriesWait, hasEligibleEntry, recordOutage } from '../entries/public.ts';
import { award } from './ends/award.ts';
import { endWithoutWinner } from './ends/end-without-winner.ts';
import { isEligible } from './ends/selection.ts';
import { refundFees } from './ends/refund-fees.ts';
import type { Tx } from '../db/database.ts';

// The timers look at a project a second after it is due. If they look that much later, the service was down.
const OUTAGE_MS = 5 * 60_000;

/** How long a confirmation that came in time may wait for a connection and a lock. The timers wait for its record. */
export const RECORDING_MS = 10_000;

// How often a project is checked while a picture is inspected after the grace period.
const INSPECTION_CHECK_MS = 1_000;

/**
 * `waiting`: until the last paid entry is confirmed, or what came in the grace period is recorded and no picture is inspected
 * any more. `empty`: no entry can be judged. `everyFee`: also the fees of entries that were never confirmed go back, because
 * the poster shortened the time in which their agents could have confirmed.
 */
export type EndOfEntries = { now: 'judging' } | { now: 'waiting'; until: Date } | { now: 'empty'; everyFee: boolean };

/**
 * Whether the service was down when entries could have been confirmed. Only the first look after that time tells: later ones
 * wait for pictures, and an agent with slow pictures must not get its fees back.
 */
export function isOutage(project: ProjectRow, at: Date): boolean {
  const until = recordedUntil(project).getTime();
  const isFirstLook = project.status === 'open' && (project.dueAt?.getTime() ?? 0) <= until;
  return isFirstLook && at.getTime() - until > OUTAGE_MS;
}

function recordedUntil(project: ProjectRow): Date {
  return new Date(confirmableUntil(project).getTime() + RECORDING_MS);
}

/**
 * Moves an open project into judging if it has an eligible entry and no paid entry is waiting. A confirmation that was
 * requested in time counts as waiting while its picture is inspected, also after the grace period. What the poster has
 * chosen already happens at once. The caller holds the project's lock and checked that entries have ended.
 */
export async function endEntries(
  deps: Pick<Deps, 'config' | 'newId'>,
  tx: Tx,
  { project, actor, at }: Mover & { project: ProjectRow },
): Promise<EndOfEntries> {
  const until = recordedUntil(project);
  const [hasEntry, waits, inspects] = await Promise.all([
    hasEligibleEntry(tx, project.id),
    at < until ? entriesWait(tx, project) : false,
    inspectionsWait(tx, project.id, at),
  ]);
  if (waits) return { now: 'waiting', until };
  if (isOutage(project, at)) await recordOutage(tx, project.id, at);
  if (inspects) return { now: 'waiting', until: new Date(at.getTime() + INSPECTION_CHECK_MS) };
  const everyFee = project.entriesEndAt < project.deadline;
  if (!hasEntry) return { now: 'empty', everyFee };
  await beginJudging(deps, tx, project, { actor, at });
  // Other fees stay: otherwise a place would cost nothing.
  await refundFees(deps, tx, everyFee ? 'unconfirmed' : 'unserved', { projectId: project.id, at });
  await endAsPlanned(deps, tx, { ...project, status: 'judging' }, at);
  return { now: 'judging' };
}

/**
 * Does what the poster chose while closing early: awards an entry, or ends without a winner. Without a choice, or if the
 * entry cannot win any more, judging goes on.
 */
async function endAsPlanned(
  deps: Pick<Deps, 'config' | 'newId'>,
  tx: Tx,
  project: ProjectRow,
  at: Date,
): Promise<void> {
  const { plannedWinnerId: winnerId, noWinnerReason: reason, posterId } = project;
  const actor = `poster:${posterId}`;
  if (reason !== null) return await endWithoutWinner(deps, tx, { project, actor, reason, at });
  if (winnerId === null) return;
  const entries = await entriesOf(tx, project.id);
  if (!entries.some((entry) => entry.id === winnerId && isEligible(entry))) return;
  const decision = { selection: 'poster', winnerId } as const;
  await award(deps, tx, { project, decision, entries, actor, at });
}
