import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import {
  announceClose,
  endOfEntriesOf,
  forgetSearches,
  type ProjectForJudging,
  lockOwnProject,
  scheduleNextCheck,
  readProject,
  stateConflict,
} from '../projects/public.ts';
import { agreedRules } from '../projects/terms/public.ts';
import { hasEligibleEntry } from '../entries/public.ts';
import { endEntries } from './end-entries.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

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
  const message = await withTransaction(ctx.db, (tx) => close(ctx, tx, own));
  forgetSearches(ctx.db);
  return { message, project: await readProject(ctx, own.projectId) };
}

async function close(
  ctx: Context<PosterCaller>,
  tx: Tx,
  own: { projectId: string; posterId: string },
): Promise<string> {
  const locked = await lockOwnProject(tx, own);
  const at = ctx.clock.now();
  if (locked.status !== 'open') throw stateConflict(locked.status, 'only an open project can be closed');
  if (locked.closesAt === null && !(await hasEligibleEntry(tx, locked.id)))
    throw stateConflict(locked.status, 'it has no confirmed entry to judge');
  const project = await announce(ctx, tx, locked, at);
  const endsAt = endOfEntriesOf(project);
  if (at < endsAt)
    return `No new entries are accepted. Entries under way can be confirmed until ${endsAt.toISOString()}. Then judging begins.`;
  const end = await endEntries(ctx, tx, { project, actor: `poster:${own.posterId}`, at });
  if (end.now !== 'waiting') return 'Judging has begun.';
  await scheduleNextCheck(tx, project.id, end.until);
  return `No new entries are accepted. The service waits for the confirmation of paid entries, until ${end.until.toISOString()} at the latest.`;
}

/** Returns the project with its new end. A second request does not move it, and neither does one after the deadline. */
async function announce(
  ctx: Context<PosterCaller>,
  tx: Tx,
  project: ProjectForJudging,
  at: Date,
): Promise<ProjectForJudging> {
  if (project.closesAt !== null || project.deadline <= at) return project;
  const { closeNoticeSeconds } = await agreedRules(tx, ctx.config, project);
  const noticeMs = project.terms === 1 ? 0 : closeNoticeSeconds * 1000;
  const closesAt = new Date(Math.min(at.getTime() + noticeMs, project.deadline.getTime()));
  await announceClose(ctx, tx, project, { at, closesAt });
  return { ...project, closeRequestedAt: at, closesAt };
}
