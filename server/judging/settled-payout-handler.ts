import { recordEarned } from '../agents/rankings/public.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import { accountBalances, escrowAccount, feesAccount, REVENUE, postJournal } from '../ledger/public.ts';
import {
  hasOtherUnsettledAwards,
  owedFromEscrowMicro,
  type SettledPayoutHandler,
  type SettledPayout,
  unsettledFrom,
} from '../payouts/public.ts';
import { type ProjectForJudging, lockAnyProject, markCompleted } from '../projects/public.ts';
import { recordPaid } from '../entries/public.ts';
import { payoutEvents } from './payout-events.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Handles a payout that is on chain: books the agent's earnings, and completes the project with its last prize or
 * share. Tells the agent and the poster. Runs in the transaction that books the transfer. No project waits for a refund.
 */
export function settledPayoutHandler(deps: Pick<Deps, 'newId' | 'config'>): SettledPayoutHandler {
  return {
    async settled(tx, payout) {
      const { kind, projectId, submissionId, agentId } = payout;
      await recordEvents(deps, tx, payout.settledAt, await payoutEvents(tx, payout));
      if (kind === 'refund' || projectId === null || submissionId === null || agentId === null) return;
      // The lock makes the shares of one project settle one after the other, so exactly one of them is the last.
      const project = await lockAnyProject(tx, projectId);
      const categories = await recordPaid(tx, submissionId, payout.settledAt);
      const earned = { agentId, projectId, amountMicro: payout.amountMicro, categories };
      await recordEarned(deps, tx, { ...earned, at: payout.settledAt }, deps.config.tierRule);
      if (!(await hasOtherUnsettledAwards(tx, projectId, payout.id))) await complete(deps, tx, project, payout);
    },
  };
}

async function complete(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: ProjectForJudging,
  { id: payoutId, settledAt: at }: SettledPayout,
): Promise<void> {
  const actor = `payout:${payoutId}`;
  await markCompleted(deps, tx, project, { actor, at });
  await recordAudit(deps, tx, { at, actor, action: 'project.complete', subject: `project:${project.id}` });
  const [escrow, fees] = [escrowAccount(project.id), feesAccount(project.id)];
  // The escrow held only the prize. Its balance is not current yet, because the journal of this payout is written
  // later. Refunds that are not sent yet stay in their accounts.
  const balances = await accountBalances(tx, [escrow, fees]);
  // Read under the locks of the accounts: a refund settles and leaves its account in one transaction.
  const [owedFromEscrow, refunds] = await Promise.all([owedFromEscrowMicro(tx, project.id), unsettledFrom(tx, fees)]);
  const lines = [
    { account: escrow, amountMicro: project.prizeMicro - owedFromEscrow },
    { account: fees, amountMicro: (balances.get(fees) ?? 0) - refunds },
  ].filter(({ amountMicro }) => amountMicro > 0);
  if (lines.length === 0) return;
  const earned = lines.reduce((sum, line) => sum + line.amountMicro, 0);
  await postJournal(tx, {
    id: deps.newId(),
    kind: 'completion',
    paymentId: null,
    at,
    lines: [...lines, { account: REVENUE, amountMicro: -earned }],
  });
}
