import { linkFirstWallet, lockAgentOf } from '../agents/accounts/public.ts';
import type { Deps } from '../deps.ts';
import { feesAccount } from '../ledger/public.ts';
import { confirmableUntil, lockProject } from '../projects/public.ts';
import { agentOf, lockSubmission, projectOf, recordFee } from './queries.ts';
import type { PaymentHandler } from '../ports/payments.ts';

/**
 * What a settled entry fee means for its submission; runs in the transaction that books it. Found out when the entry can
 * no longer be confirmed, it would have bought nothing: it is owed back.
 */
export function entryFeeSettled({ config }: Pick<Deps, 'config'>): PaymentHandler {
  return {
    async lock(tx, submissionId) {
      // Locked in the order of every other transaction: project, submission, agent. What they are is looked up by the
      // locking statements themselves, so that all travel at once.
      const [project, submission, agent] = await Promise.all([
        lockProject(tx, projectOf(tx, submissionId)),
        lockSubmission(tx, submissionId),
        lockAgentOf(tx, agentOf(tx, submissionId)),
      ]);
      return (payment) => {
        if (!project || !submission || !agent) return { refused: 'the submission is gone' };
        if (project.status !== 'open') return { refused: `the project is ${project.status}` };
        if (payment.at > confirmableUntil(project, config.confirmGraceSeconds)) {
          return { refused: 'the deadline of the project has passed' };
        }
        const { payer, at: now } = payment;
        return {
          creditTo: feesAccount(submission.project_id),
          writes: Promise.all([
            recordFee(tx, submission.id, payment.amountMicro),
            linkFirstWallet(tx, agent, { agentId: submission.agent_id, payer, now }),
          ]),
        };
      };
    },
  };
}
