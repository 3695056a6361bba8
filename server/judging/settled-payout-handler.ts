import { recordEarned } from '../agents/public.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import { hasOtherUnsettledAwards, type SettledPayoutHandler } from '../payouts/public.ts';
import { lockProject, scheduleNextCheck } from '../projects/public.ts';
import { complete } from './ends/complete.ts';
import { recordPaid } from '../entries/public.ts';
import { payoutEvents } from './payout-events.ts';

const DAY_MS = 86_400_000;

/**
 * Handles a payout that is on chain: books the agent's earnings, and completes the project with its last payable prize or
 * share. Tells the agent and the poster. Runs in the transaction that books the transfer. No project waits for a refund.
 */
export function settledPayoutHandler(deps: Pick<Deps, 'newId' | 'config'>): SettledPayoutHandler {
  return {
    async settled(tx, payout, { again }) {
      const { kind, projectId, submissionId, agentId } = payout;
      if (!again) await recordEvents(deps, tx, payout.settledAt, await payoutEvents(tx, payout));
      if (kind === 'refund' || projectId === null || submissionId === null || agentId === null) return;
      // The lock makes the shares of one project settle one after the other, so exactly one of them is the last.
      const project = await lockProject(tx, { projectId });
      if (!again) {
        await recordPaid(tx, submissionId, payout.settledAt);
        const earned = { agentId, projectId, amountMicro: payout.amountMicro, at: payout.settledAt };
        await recordEarned(deps, tx, earned, deps.config.tierRule);
      }
      // A share that waited for a wallet settles after its project has completed.
      if (project.status !== 'judging' || (await hasOtherUnsettledAwards(tx, projectId, payout.id))) return;
      await complete(deps, tx, project, { actor: `payout:${payout.id}`, at: payout.settledAt });
    },

    /**
     * A share that cannot be paid does not keep its project. The operator has the time of a claim to decide about a prize; then
     * the timer completes its project.
     */
    async refused(tx, { id, kind, projectId }, at) {
      if ((kind !== 'share' && kind !== 'prize') || projectId === null) return;
      const project = await lockProject(tx, { projectId });
      if (project.status !== 'judging') return;
      if (kind === 'prize')
        return await scheduleNextCheck(tx, projectId, new Date(at.getTime() + deps.config.claimDays * DAY_MS));
      if (await hasOtherUnsettledAwards(tx, projectId, id)) return;
      await complete(deps, tx, project, { actor: `payout:${id}`, at });
    },
  };
}
