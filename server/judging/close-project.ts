import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import {
  announceClose,
  type ProjectRow,
  lockProject,
  scheduleNextCheck,
  stateConflict,
  agreedRules,
} from '../projects/public.ts';
import { endEntries } from './end-entries.ts';
import { decideProject } from './ends/decide.ts';
import { isEntered } from './update-project.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof judgingOperations.closeProject;

/**
 * Announces the end of entries before the deadline. From now on, the project takes no new intents and payments. Entries
 * that are under way can be confirmed until the notice ends. Without a notice, they have the same grace period as after
 * any deadline.
 */
export async function closeProject(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  return await decideProject(ctx, own.projectId, async (tx) => {
    const { message } = await closeLocked(ctx, tx, await lockProject(tx, own));
    return message;
  });
}

/** Closes a project whose lock the caller holds. `open`: entries under way can still be confirmed. */
export async function closeLocked(
  ctx: Context<PosterCaller>,
  tx: Tx,
  locked: ProjectRow,
): Promise<{ message: string; now: 'open' | 'judging' }> {
  const at = ctx.clock.now();
  if (locked.status !== 'open') throw stateConflict(locked.status, 'only an open project can be closed');
  // A fee without an entry counts too: the party that paid it would otherwise hold the prize until the deadline.
  if (locked.closesAt === null && !(await isEntered(tx, locked.id, at)))
    throw stateConflict(locked.status, 'nobody has entered it; cancel it instead');
  const project = await announce(ctx, tx, locked, at);
  const endsAt = project.entriesEndAt;
  if (at < endsAt) {
    const message = `No new entries are accepted. Entries under way can be confirmed until ${endsAt.toISOString()}. Then judging begins; without an entry, everything is refunded.`;
    return { message, now: 'open' };
  }
  const end = await endEntries(ctx, tx, { project, actor: `poster:${ctx.caller.posterId}`, at });
  if (end.now === 'judging') return { message: 'Judging has begun.', now: 'judging' };
  await scheduleNextCheck(tx, project.id, end.now === 'waiting' ? end.until : at);
  const what =
    end.now === 'waiting'
      ? `The service waits for the confirmation of paid entries, until ${end.until.toISOString()} at the latest.`
      : 'There is no entry to judge, so everything is refunded.';
  return { message: `No new entries are accepted. ${what}`, now: 'open' };
}

/** Returns the project with its new end. A second request does not move it, and neither does one after the deadline. */
async function announce(ctx: Context<PosterCaller>, tx: Tx, project: ProjectRow, at: Date): Promise<ProjectRow> {
  if (project.closesAt !== null || project.deadline <= at) return project;
  const { closeNoticeSeconds } = await agreedRules(tx, project.id);
  const closesAt = new Date(Math.min(at.getTime() + closeNoticeSeconds * 1000, project.deadline.getTime()));
  return await announceClose(ctx, tx, project, { at, closesAt });
}
