import { linkFirstWallet } from '../agents/steps.ts';
import { feesAccount } from '../ledger/accounts.ts';
import type { PaymentHandler } from '../payments/setup.ts';
import { lockProjectForConfirmation } from '../projects/steps.ts';
import { lockSubmission, recordFee } from './queries.ts';

/** What a settled entry fee means for its submission; runs in the transaction that books it. */
export const entryFeeSettled: PaymentHandler = {
  async booked(tx, payment) {
    const submission = await lockSubmission(tx, payment.subjectId);
    if (!submission) return { refused: 'the submission is gone' };
    const project = await lockProjectForConfirmation(tx, submission.project_id);
    if (project.status !== 'open') return { refused: `the project is ${project.status}` };
    await recordFee(tx, submission.id, payment.amountMicro);
    await linkFirstWallet(tx, { agentId: submission.agent_id, payer: payment.payer, now: payment.at });
    return { creditTo: feesAccount(submission.project_id) };
  },
};
