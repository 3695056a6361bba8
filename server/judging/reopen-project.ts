import type { Context, Deps } from '../deps.ts';
import { forgetSearches } from '../projects/public.ts';
import { reopenAward } from './ends/reopen-award.ts';
import { decideProject, withDecision } from './ends/decide.ts';
import type { ProjectAct, ProjectAfter } from './end-for-operator.ts';
import type { OperatorCaller } from '../callers.ts';

/** Takes an award back whose payout has not moved, for a winner that must not or cannot be paid. */
export async function reopenProject(
  ctx: Context<OperatorCaller>,
  { params, body: { reason } }: ProjectAct,
): Promise<ProjectAfter> {
  const projectId = params.project_id;
  const at = ctx.clock.now();
  return await decideProject(ctx, projectId, async (tx) => {
    await reopenAward(ctx, tx, { projectId, actor: 'operator', reason, at });
    return 'Award taken back. The poster judges the other entries again.';
  });
}

const UNCLAIMED = 'The prize was not claimed: the agent linked no wallet in time.';

/** Takes an award back that nobody claimed in time. Does nothing if its agent has a wallet by now. */
export async function lapseAward(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'comparison' | 'log'>,
  { projectId, payoutId }: { projectId: string; payoutId: string },
): Promise<void> {
  const at = deps.clock.now();
  try {
    const lapsed = await withDecision(deps, (tx) =>
      reopenAward(deps, tx, {
        projectId,
        actor: 'timer',
        reason: UNCLAIMED,
        at,
        unclaimedId: payoutId,
      }),
    );
    if (!lapsed) return;
    forgetSearches(deps.db);
    deps.log.info({ projectId }, 'an award lapsed, because its agent linked no wallet');
  } catch (error) {
    // The next run tries again.
    deps.log.warn({ projectId, err: error }, 'an award that nobody claimed could not be taken back');
  }
}
