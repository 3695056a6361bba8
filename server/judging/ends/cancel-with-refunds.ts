import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import { escrowAccount, postJournal, REVENUE } from '../../ledger/public.ts';
import { oweFeeRefunds, owePrizeRefund } from '../../payouts/public.ts';
import { type ProjectForJudging, markCancelled, type Mover, winnerReceivesMicro } from '../../projects/public.ts';
import { recordCancelled, submissionIdsOf } from '../../entries/public.ts';
import type { Tx } from '../../ports/database.ts';

type Cancellation = Mover & {
  project: Pick<
    ProjectForJudging,
    'id' | 'status' | 'prizeMicro' | 'platformFeePpm' | 'posterId' | 'publishedAt' | 'visibleAt'
  >;
  reason: string;
  /** The service keeps the platform fee of the prize. */
  keepFee?: boolean;
};

/**
 * Ends a project without a winner. The prize and every entry fee are owed back to their payers; with `keepFee`, the
 * prize less the platform fee. The caller holds the project's lock.
 */
export async function cancelWithRefunds(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { project, actor, reason, at, keepFee = false }: Cancellation,
): Promise<void> {
  const projectId = project.id;
  const backMicro = keepFee ? winnerReceivesMicro(project.prizeMicro, project.platformFeePpm) : project.prizeMicro;
  const keptMicro = project.prizeMicro - backMicro;
  const [submissionIds, , revealed] = await Promise.all([
    submissionIdsOf(tx, projectId),
    markCancelled(deps, tx, project, { actor, at, reason, feeKept: keepFee }),
    recordCancelled(tx, projectId, at),
    recordAudit(deps, tx, {
      at,
      actor,
      action: 'project.cancel',
      subject: `project:${projectId}`,
      reason,
      ...(keepFee ? { details: { fee_kept_micro: keptMicro } } : {}),
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
  await oweFeeRefunds(deps, tx, { projectId, submissionIds, at });
  if (keptMicro === 0) return;
  await postJournal(tx, {
    id: deps.newId(),
    kind: 'fee_kept',
    paymentId: null,
    at,
    lines: [
      { account: escrowAccount(projectId), amountMicro: keptMicro },
      { account: REVENUE, amountMicro: -keptMicro },
    ],
  });
}
