import { isProvenForAnother, linkFirstWallet, lockAgent } from '../agents/accounts/public.ts';
import { requireActiveNow } from '../agents/standing/public.ts';
import type { Deps } from '../deps.ts';
import { feesAccount } from '../ledger/public.ts';
import { confirmableUntil, lockProject, lockProjectForEntry, requireAcceptingEntries } from '../projects/public.ts';
import { prepareUpload, recordUpload, type UploadDeps } from './prepare-upload.ts';
import { agentOf, lockSubmission, projectOf, recordFee } from './queries.ts';
import { requireForeignFunds, submissionNotFound } from './state.ts';
import type { EntryFeeOrder, PayableSubject, PreparedUpload } from '../ports/payable-subject.ts';

/**
 * Returns the payable subject of entry fees. A fee buys an upload URL, and the transaction that books the fee records
 * the media file. When a fee settles after the entry can no longer be confirmed, the service owes it back.
 */
export function entryFeeSubject(
  deps: UploadDeps & Pick<Deps, 'config' | 'publicUrl'>,
): PayableSubject<EntryFeeOrder, PreparedUpload> {
  return {
    quote({ project, submissionId }) {
      return {
        kind: 'entry_fee',
        subjectId: submissionId,
        network: project.network,
        asset: project.asset,
        payTo: project.payTo,
        amountMicro: project.entryFeeMicro,
        resourceUrl: `${deps.publicUrl}/api/v1/agents/projects/${project.id}/submissions/${submissionId}`,
        description: `Entry fee of submission ${submissionId}`,
      };
    },

    mayPresent: async (db, { agent }, payer) =>
      !(await isProvenForAnother(db, { agentId: agent.agentId, address: payer })),

    checkOrder({ project, readFile }, payer) {
      readFile();
      requireForeignFunds(project, payer);
    },

    async claim(tx, { agent, project: { id: projectId }, submissionId }, payer) {
      const now = deps.clock.now();
      // Under the submission's lock, so that the agent cannot delete the intent while its payment is claimed.
      const [project, submission] = await Promise.all([
        lockProjectForEntry(tx, { projectId, tier: agent.tier, now }),
        lockSubmission(tx, submissionId),
        requireActiveNow(tx, agent, now),
      ]);
      if (submission?.status !== 'pending') throw submissionNotFound();
      requireAcceptingEntries(project, now, 0);
      requireForeignFunds(project, payer);
    },

    prepare: async ({ project, submissionId, readFile }) =>
      await prepareUpload(deps, { projectId: project.id, submissionId }, readFile()),

    async lock(tx, submissionId) {
      // Every transaction locks in this order: project, submission, agent. The locking statements look up the ids
      // themselves, so that the three share one round trip.
      const [project, submission, agent] = await Promise.all([
        lockProject(tx, projectOf(tx, submissionId)),
        lockSubmission(tx, submissionId),
        lockAgent(tx, agentOf(tx, submissionId)),
      ]);
      return (payment, upload) => {
        if (!project || !submission || !agent) return { refused: 'the submission is gone' };
        if (submission.status === 'withdrawn') return { refused: 'the intent was deleted' };
        if (project.status !== 'open') return { refused: `the project is ${project.status}` };
        if (payment.at > confirmableUntil(project, deps.config.confirmGraceSeconds)) {
          return { refused: 'the deadline of the project has passed' };
        }
        const { payer, at: now } = payment;
        const writes = Promise.all([
          upload !== undefined && recordUpload(tx, upload),
          recordFee(tx, submission.id, payment.amountMicro),
          linkFirstWallet(tx, agent, { agentId: submission.agent_id, payer, now }),
        ]);
        return { creditTo: feesAccount(submission.project_id), writes: writes.then(([recorded]) => recorded) };
      };
    },
  };
}
