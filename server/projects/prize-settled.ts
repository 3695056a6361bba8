import type { Deps } from '../deps.ts';
import { escrowAccount } from '../ledger/public.ts';
import { announceProject } from '../webhooks/endpoints/public.ts';
import { lockPrize, transition } from './queries.ts';
import type { PaymentHandler } from '../ports/payments.ts';

/**
 * What a settled prize means for its project: it opens. Runs in the transaction that books the payment. Network, token
 * and treasury are frozen as the prize was paid, so that every entry fee of the project goes the same way. Found out after
 * the deadline, it would open what nobody can enter: it is owed back.
 */
export function prizeSettled({ config, newId }: Pick<Deps, 'config' | 'newId'>): PaymentHandler {
  return {
    async lock(tx, projectId) {
      const project = await lockPrize(tx, projectId);
      return async (payment) => {
        if (!project) return { refused: 'the project is gone' };
        if (project.status !== 'draft') return { refused: `the project is ${project.status}` };
        if (project.prizeMicro !== payment.amountMicro)
          return { refused: 'the prize of the project is another one by now' };
        if (payment.at >= project.deadline) return { refused: 'the deadline of the project has passed' };
        const visibleAt = new Date(payment.at.getTime() + config.earlyAccessSeconds * 1000);
        const opened = transition(tx, {
          projectId,
          from: 'draft',
          to: 'open',
          actor: `payment:${payment.id}`,
          reason: null,
          at: payment.at,
          set: {
            network: payment.network,
            asset: payment.asset,
            pay_to: payment.payTo,
            funding_wallet: payment.payer,
            due_at: project.deadline,
            published_at: payment.at,
            visible_at: visibleAt,
          },
        });
        // The webhooks' outbox: who is told of the project is told of one that is open.
        await Promise.all([opened, announceProject({ newId }, tx, project, { at: payment.at, visibleAt })]);
        return { creditTo: escrowAccount(projectId) };
      };
    },
  };
}
