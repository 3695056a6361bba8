import { recordAudit } from '../audit/public.ts';
import { moveWin } from '../agents/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { entriesOf, recordOutcomes } from '../entries/public.ts';
import { findByReference, moveAward } from '../payouts/public.ts';
import { changeWinner, forgetSearches, lockProject, type ProjectRow, winnerReceivesMicro } from '../projects/public.ts';
import { award } from './ends/award.ts';
import { cancelWithRefunds } from './ends/cancel-with-refunds.ts';
import { decideWinner } from './ends/selection.ts';
import { settleSilence } from './ends/settle-silence.ts';
import { endForOperator } from './end-for-operator.ts';
import { shareLocked } from './share-project.ts';
import type { Tx } from '../db/database.ts';

/** A payment on chain from which a lost decision about a project follows. */
export type PaidDecision = {
  projectId: string;
  /** The payout that the decision must create, and the most that it can be. */
  reference: string;
  amountMicro: number;
  /** The winner of a prize. Shares and refunds have none. */
  winnerId?: string;
  kind: 'prize' | 'share' | 'refund';
};

type DecisionDeps = Pick<Deps, 'db' | 'newId' | 'config' | 'clock'>;
type Decide = (tx: Tx, project: ProjectRow, at: Date) => Promise<void>;

/**
 * Makes a decision again that a restore lost, because the chain shows a payout that only this decision creates. Tries the
 * decisions that fit, each in one transaction, and keeps the first that owes this payout. Returns false if none does.
 */
export async function decideAsPaid(deps: DecisionDeps, paid: PaidDecision, reason: string): Promise<boolean> {
  for (const decide of decisionsFor(deps, paid, reason)) {
    try {
      await withTransaction(deps.db, async (tx) => {
        const project = await lockProject(tx, { projectId: paid.projectId });
        if (project.awardedAt !== null || (project.status !== 'open' && project.status !== 'judging'))
          throw new Unfit();
        await decide(tx, project, deps.clock.now());
        const owed = await findByReference(tx, paid.reference);
        // A transfer can carry small amounts along, so that it is larger than its payout.
        if (owed === null || owed.amountMicro > paid.amountMicro) throw new Unfit();
      });
      forgetSearches(deps.db);
      return true;
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
    }
  }
  return false;
}

/** Rolls back a decision that does not owe the payout. */
class Unfit extends Error {}

function decisionsFor(deps: DecisionDeps, { kind, winnerId, projectId }: PaidDecision, reason: string): Decide[] {
  const actor = 'operator';
  const silence: Decide = async (tx, project, at) => {
    const judged = await endForOperator(deps, tx, project, at);
    await settleSilence(deps, tx, { project: judged, entries: await entriesOf(tx, projectId), actor, at });
  };
  const cancel =
    (kept: { keepFee?: boolean; cancelFeeMicro?: number }): Decide =>
    async (tx, project, at) => {
      await cancelWithRefunds(deps, tx, { project, actor, reason, at, ...kept });
    };
  // A poster that cancels often gets less back.
  const { cancelFeeMicro } = deps.config;
  if (kind === 'refund') return [cancel({}), cancel({ cancelFeeMicro }), cancel({ keepFee: true }), silence];
  if (kind === 'share') {
    const share: Decide = async (tx, project, at) => {
      if (!(await shareLocked(deps, tx, { project, reason, at }))) throw new Unfit();
    };
    return [share, silence];
  }
  return [
    async (tx, project, at) => {
      if (winnerId === undefined) throw new Unfit();
      const judged = await endForOperator(deps, tx, project, at);
      await award(deps, tx, { project: judged, decision: { selection: 'operator', winnerId }, actor, at, reason });
    },
  ];
}

/**
 * Gives an award that is not paid yet to the entry whose agent the chain shows as paid. The restored service awarded the
 * prize a second time, to another entry; the first award was final. Returns false if the award cannot change any more.
 */
export async function correctWinner(
  deps: DecisionDeps,
  { projectId, submissionId, reason }: { projectId: string; submissionId: string; reason: string },
): Promise<boolean> {
  const corrected = await withTransaction(deps.db, async (tx) => {
    const entries = await entriesOf(tx, projectId);
    const winner = entries.find(({ id }) => id === submissionId);
    // Locks are taken in the common order: payout, project, submissions, agents.
    if (!winner || !(await moveAward(tx, projectId, { submissionId, agentId: winner.agentId }))) return false;
    const project = await lockProject(tx, { projectId });
    const before = entries.find(({ id }) => id === project.winnerSubmissionId);
    if (!before || before.id === submissionId) return false;
    const at = deps.clock.now();
    const receivesMicro = winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
    await changeWinner(tx, projectId, { submissionId, at });
    await recordOutcomes(tx, decideWinner(entries, { winnerId: submissionId, receivesMicro }), at);
    await moveWin(tx, { from: before.agentId, to: winner.agentId, projectId });
    await recordAudit(deps, tx, {
      at,
      actor: 'service',
      action: 'project.correct_winner',
      subject: `project:${projectId}`,
      reason,
      details: { winner_submission_id: submissionId, before: before.id },
    });
    return true;
  });
  if (corrected) forgetSearches(deps.db);
  return corrected;
}
