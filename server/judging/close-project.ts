import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { endEntriesNow, lockOwnProject, readProject, forgetSearches, stateConflict } from '../projects/public.ts';
import { hasEligibleEntry } from '../entries/public.ts';
import { endEntries } from './end-entries.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

type Operation = typeof judgingOperations.closeProject;

const CLOSED = 'Judging has begun.';

/**
 * Ends entries before the deadline. Paid entries can still be confirmed during the same grace period as after any
 * deadline.
 */
export async function closeProject(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  const until = await withTransaction(ctx.db, (tx) => close(ctx, tx, own));
  forgetSearches(ctx.db);
  const message = until
    ? `No new entries are accepted. The service waits for the confirmation of paid entries, until ${until.toISOString()} at the latest.`
    : CLOSED;
  return { message, project: await readProject(ctx, own.projectId) };
}

/** Returns null if judging has begun, or the time until which entries can still be confirmed. */
async function close(
  ctx: Context<PosterCaller>,
  tx: Tx,
  own: { projectId: string; posterId: string },
): Promise<Date | null> {
  const project = await lockOwnProject(tx, own);
  const at = ctx.clock.now();
  if (project.status !== 'open') throw stateConflict(project.status, 'only an open project can be closed');
  if (!(await hasEligibleEntry(tx, project.id)))
    throw stateConflict(project.status, 'it has no confirmed entry to judge');
  const passed = project.deadline <= at;
  const deadline = passed ? project.deadline : at;
  const end = await endEntries(ctx, tx, { project, deadline, actor: `poster:${own.posterId}`, at });
  if (end.now !== 'waiting') return null;
  if (!passed) await endEntriesNow(tx, project.id, { at, dueAt: end.until });
  return end.until;
}
