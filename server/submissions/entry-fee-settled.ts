import { linkFirstWallet } from '../agents/steps.ts';
import type { Deps } from '../context.ts';
import { feesAccount } from '../ledger/accounts.ts';
import type { PaymentHandler } from '../payments/setup.ts';
import { confirmableUntil } from '../projects/state.ts';
import { lockProject } from '../projects/steps.ts';
import { findProjectOf, lockSubmission, recordFee } from './queries.ts';

/**
 * What a settled entry fee means for its submission; runs in the transaction that books it. Found out when the entry can
 * no longer be confirmed, it would have bought nothing: it is owed back.
 */
export function entryFeeSettled({ config }: Pick<Deps, 'config'>): PaymentHandler {
  return {
    async booked(tx, payment) {
      const projectId = await findProjectOf(tx, payment.subjectId);
      if (projectId === null) return { refused: 'the submission is gone' };
      // Locked in the order of every other transaction: project, submission, agent.
      const [project, submission] = await Promise.all([
        lockProject(tx, projectId),
        lockSubmission(tx, payment.subjectId),
      ]);
      if (!project || !submission) return { refused: 'the submission is gone' };
      if (project.status !== 'open') return { refused: `the project is ${project.status}` };
      if (payment.at > confirmableUntil(project, config.confirmGraceSeconds)) {
        return { refused: 'the deadline of the project has passed' };
      }
      await Promise.all([
        recordFee(tx, submission.id, payment.amountMicro),
        linkFirstWallet(tx, { agentId: submission.agent_id, payer: payment.payer, now: payment.at }),
      ]);
      return { creditTo: feesAccount(submission.project_id) };
    },
  };
}
