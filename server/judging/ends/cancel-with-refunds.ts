import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import {
  accountBalances,
  escrowAccount,
  feesAccount,
  type JournalLine,
  postJournal,
  REVENUE,
} from '../../ledger/public.ts';
import { isLost } from '../../payments/public.ts';
import { oweFeeRefunds, owePrizeRefund, unsettledFrom } from '../../payouts/public.ts';
import { type ProjectRow, markCancelled, type Mover, winnerReceivesMicro } from '../../projects/public.ts';
import { recordCancelled, submissionIdsOf } from '../../entries/public.ts';
import type { Tx } from '../../db/database.ts';

type Cancellation = Mover & {
  project: ProjectRow;
  reason: string;
  /** The service keeps the platform fee of the prize. */
  keepFee?: boolean;
  /** What the service keeps of the prize for the gas of its transfers. */
  cancelFeeMicro?: number;
  /** The submissions whose entry fees the service keeps. */
  keptFees?: string[];
  /** Why the poster chose nobody. */
  noWinnerReason?: string;
};

/**
 * Ends a project without a winner. The prize and the entry fees are owed back to their payers: the prize less
 * `cancelFeeMicro` and, with `keepFee`, less the platform fee; no fees of `keptFees`. The rest is revenue. The caller
 * holds the project's lock.
 */
export async function cancelWithRefunds(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { project, actor, reason, at, keepFee = false, cancelFeeMicro = 0, keptFees = [], noWinnerReason }: Cancellation,
): Promise<void> {
  const projectId = project.id;
  // A prize that is lost leaves nothing to give back, and nothing to keep.
  const isPrizeLost = await isLost(tx, 'escrow', projectId);
  const wholeMicro = keepFee ? winnerReceivesMicro(project.prizeMicro, project.platformFeePpm) : project.prizeMicro;
  const backMicro = wholeMicro - cancelFeeMicro;
  const keptMicro = isPrizeLost ? 0 : project.prizeMicro - backMicro;
  const [submissionIds, , revealed] = await Promise.all([
    submissionIdsOf(tx, projectId),
    markCancelled(deps, tx, project, {
      actor,
      at,
      reason,
      feeKept: keepFee && !isPrizeLost,
      noWinnerReason: noWinnerReason ?? null,
    }),
    recordCancelled(tx, projectId, at),
    recordAudit(deps, tx, {
      at,
      actor,
      action: 'project.cancel',
      subject: `project:${projectId}`,
      reason: noWinnerReason ?? reason,
      ...(keptMicro > 0 ? { details: { fee_kept_micro: keptMicro } } : {}),
    }),
  ]);
  // The agents see their scores from now on.
  await recordEvents(
    deps,
    tx,
    at,
    revealed.map(({ id, agentId, score }) => ({
      agent: agentId,
      type: 'SUBMISSION.SCORED',
      data: { project_id: projectId, submission_id: id, score },
    })),
  );
  await owePrizeRefund(deps, tx, { projectId, amountMicro: backMicro, at });
  const kept = new Set(keptFees);
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: submissionIds.filter((id) => !kept.has(id)), at });
  const escrow = escrowAccount(projectId);
  // After a reopened award, the platform fee lies there without the prize.
  const leftMicro = isPrizeLost ? ((await accountBalances(tx, [escrow])).get(escrow) ?? 0) : keptMicro;
  const lines = [
    { account: escrow, amountMicro: leftMicro },
    ...(kept.size > 0 ? await remainingFees(tx, projectId) : []),
  ].filter(({ amountMicro }) => amountMicro > 0);
  if (lines.length === 0) return;
  const earned = lines.reduce((sum, { amountMicro }) => sum + amountMicro, 0);
  await postJournal(tx, {
    id: deps.newId(),
    kind: 'fee_kept',
    paymentId: null,
    at,
    lines: [...lines, { account: REVENUE, amountMicro: -earned }],
  });
}

/** Returns the line of the entry fees of an ended project that nobody gets back. Refunds that are not sent yet stay. */
export async function remainingFees(tx: Tx, projectId: string): Promise<JournalLine[]> {
  const fees = feesAccount(projectId);
  const balances = await accountBalances(tx, [fees]);
  // Read under the lock of the account: a refund settles and leaves its account in one transaction.
  const refunds = await unsettledFrom(tx, fees);
  return [{ account: fees, amountMicro: (balances.get(fees) ?? 0) - refunds }];
}
