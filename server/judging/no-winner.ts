import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { lockProject, type ProjectRow } from '../projects/public.ts';
import { plan } from './close-and-choose.ts';
import { closeLocked } from './close-project.ts';
import { endWithoutWinner } from './ends/end-without-winner.ts';
import { decideProject } from './ends/decide.ts';
import { requireNoResultOnHold, requireUndecided } from './require-undecided.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof judgingOperations.noWinner;
type Choice = { projectId: string; reason: string };

const ENDED = 'The project has ended without a winner. The prize goes back less the platform fee.';

/**
 * Ends a project without a winner, for a reason that everybody can read. An open project closes early first: the notice and
 * the entries under way keep their time, and the end waits for them. The same request again succeeds.
 */
export async function noWinner(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const choice = { projectId: params.project_id, reason: body.reason };
  return await decideProject(ctx, choice.projectId, (tx) => decide(ctx, tx, choice));
}

async function decide(ctx: Context<PosterCaller>, tx: Tx, { projectId, reason }: Choice): Promise<string> {
  const project = await lockProject(tx, { projectId, posterId: ctx.caller.posterId });
  if (project.status === 'cancelled' && project.noWinnerReason !== null) return ENDED;
  if (project.status === 'open') return await closeFirst(ctx, tx, project, reason);
  requireUndecided(project, 'only an open project or one in judging can end without a winner');
  requireNoResultOnHold(project);
  await endWithoutWinner(ctx, tx, {
    project,
    actor: `poster:${ctx.caller.posterId}`,
    reason,
    at: ctx.clock.now(),
  });
  return ENDED;
}

async function closeFirst(ctx: Context<PosterCaller>, tx: Tx, project: ProjectRow, reason: string): Promise<string> {
  await plan(ctx, tx, project, null, reason);
  const planned = { ...project, plannedWinnerId: null, noWinnerReason: reason };
  const { message, now } = await closeLocked(ctx, tx, planned);
  return now === 'judging' ? ENDED : `${message} The project ends without a winner then.`;
}
