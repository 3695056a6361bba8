import { recordEarned } from '../agents/rankings/public.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { accountBalances, escrowAccount, feesAccount, REVENUE, postJournal } from '../ledger/public.ts';
import { allSettledBut, awardedMicro, type PayoutSetup, type SettledPayout } from '../payouts/public.ts';
import { type JudgedProject, lockAnyProject, markCompleted } from '../projects/public.ts';
import { recordPaid } from '../entries/public.ts';
import type { Tx } from '../ports/database.ts';

/**
 * What a payout that is on chain means for who earned it and for its project, which is completed by the last of them.
 * Runs in the transaction that books the transfer. A refund means nothing more.
 */
export function payoutSettled(deps: Pick<Deps, 'newId'>): PayoutSetup {
  return {
    async settled(tx, payout) {
      const { kind, projectId, submissionId, agentId } = payout;
      if (kind === 'refund' || projectId === null || submissionId === null || agentId === null) return;
      // Shares of one project settle one after the other, so that one of them is the last.
      const project = await lockAnyProject(tx, projectId);
      const specialization = await recordPaid(tx, submissionId, payout.settledAt);
      await recordEarned(tx, { agentId, amountMicro: payout.amountMicro, specialization });
      if (await allSettledBut(tx, projectId, payout.id)) await complete(deps, tx, project, payout);
    },
  };
}

async function complete(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  project: JudgedProject,
  { id: payoutId, settledAt: at }: SettledPayout,
): Promise<void> {
  const actor = `payout:${payoutId}`;
  await markCompleted(tx, project.id, { actor, at });
  await recordAudit(deps, tx, { at, actor, action: 'project.complete', subject: `project:${project.id}` });
  const [escrow, fees] = [escrowAccount(project.id), feesAccount(project.id)];
  // The escrow held the prize alone. Its balance would say the same only once the journal of this payout is written.
  const kept = project.prizeMicro - (await awardedMicro(tx, project.id));
  const balances = await accountBalances(tx, [escrow, fees]);
  const lines = [
    { account: escrow, amountMicro: kept },
    { account: fees, amountMicro: balances.get(fees) ?? 0 },
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
