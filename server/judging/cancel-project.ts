import { usdcNumber } from '../../contract/basics/money.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import {
  countCancelled,
  lockForChange,
  type ProjectRow,
  markCancelled,
  type Mover,
  stateConflict,
} from '../projects/public.ts';
import { cancelWithRefunds } from './ends/cancel-with-refunds.ts';
import { decideProject } from './ends/decide.ts';
import { isEntered } from './update-project.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof posterOperations.cancelProject;

/** The cancellations of open projects that cost a poster nothing, each UTC day. */
const FREE_A_DAY = 2;
const DAY_MS = 86_400_000;
const CANCELED = 'Project canceled.';

/**
 * Cancels a draft, which stays readable, or an open project. An open project is refunded, and can be canceled only
 * while no agent has paid to enter. After two of a day, the gas of the transfers is kept: publishing in circles costs the
 * service two transfers each time.
 */
export async function cancelProject(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  const reason = body.reason ?? 'Canceled by its poster';
  return await decideProject(ctx, own.projectId, async (tx) => {
    const project = await lockForChange(tx, own);
    const moved = { actor: `poster:${own.posterId}`, reason, at: ctx.clock.now() };
    if (project.status === 'draft') {
      await cancelDraft(ctx, tx, project, moved);
      return CANCELED;
    }
    if (project.status !== 'open')
      throw stateConflict(project.status, 'only a draft or an open project can be canceled');
    await requireNoPaidEntry(tx, project, moved.at);
    const today = new Date(Math.floor(moved.at.getTime() / DAY_MS) * DAY_MS);
    const isFree = (await countCancelled(tx, own.posterId, today)) < FREE_A_DAY;
    const cancelFeeMicro = isFree ? 0 : Math.min(ctx.config.cancelFeeMicro, project.prizeMicro);
    await cancelWithRefunds(ctx, tx, { project, ...moved, cancelFeeMicro });
    return cancelFeeMicro === 0
      ? CANCELED
      : `${CANCELED} You have canceled ${FREE_A_DAY} projects today already, so ${usdcNumber(cancelFeeMicro)} USDC of the prize are kept for the gas of its transfers.`;
  });
}

/** Nothing was paid for a draft, so nothing is refunded. */
async function cancelDraft(
  ctx: Context<PosterCaller>,
  tx: Tx,
  draft: ProjectRow,
  { actor, reason, at }: Mover & { reason: string },
): Promise<void> {
  await markCancelled(ctx, tx, draft, { actor, reason, at });
  await recordAudit(ctx, tx, { at, actor, action: 'project.cancel', subject: `project:${draft.id}`, reason });
}

async function requireNoPaidEntry(tx: Tx, { id, status }: Pick<ProjectRow, 'id' | 'status'>, at: Date): Promise<void> {
  if (!(await isEntered(tx, id, at))) return;
  throw stateConflict(
    status,
    'it has entries that are paid or confirmed, so only the operator can cancel it; close it early instead',
  );
}
