import { recordAudits } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { escrowAccount, feesAccount } from '../ledger/public.ts';
import { settledPaymentsOf } from '../payments/public.ts';
import { insertPayouts, listOfProjects, listOfSubmissions, type NewPayout, type PayoutRow } from './queries.ts';
import { prizeReference, refundReference, shareReference } from './references.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type { PayoutRow };

type Award = {
  submissionId: string;
  agentId: string;
  amountMicro: number;
  /** Proven; null: it waits for one. */ wallet: string | null;
};

/** Owes the winner the prize. The caller holds the project's lock and makes sure that it is awarded once. */
export async function awardPrize(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, award, at }: { projectId: string; award: Award; at: Date },
): Promise<void> {
  await owe(
    deps,
    tx,
    [prizePayout(deps, projectId, award, { kind: 'prize', reference: prizeReference(projectId) })],
    at,
  );
}

/** Owes each of several entries its part of the prize. */
export async function awardShares(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, awards, at }: { projectId: string; awards: Award[]; at: Date },
): Promise<void> {
  const payouts = awards.map((award) =>
    prizePayout(deps, projectId, award, { kind: 'share', reference: shareReference(projectId, award.submissionId) }),
  );
  await owe(deps, tx, payouts, at);
}

/**
 * Owes everything that was paid for a project back to who paid it: the prize and every entry fee that counts. A fee whose
 * settlement is not known yet is owed back when it is booked, since the project no longer takes it.
 */
export async function refundProject(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, submissionIds, at }: { projectId: string; submissionIds: string[]; at: Date },
): Promise<void> {
  const prizes = await settledPaymentsOf(tx, 'escrow', [projectId]);
  const fees = await settledPaymentsOf(tx, 'entry_fee', submissionIds);
  const refunds = [
    ...prizes.map((payment) => ({ payment, debitAccount: escrowAccount(projectId), submissionId: null })),
    ...fees.map((payment) => ({ payment, debitAccount: feesAccount(projectId), submissionId: payment.subjectId })),
  ];
  const payouts = refunds.map(({ payment, debitAccount, submissionId }): NewPayout => ({
    id: deps.newId(),
    reference: refundReference(payment.id),
    kind: 'refund',
    projectId,
    submissionId,
    agentId: null,
    paymentId: payment.id,
    amountMicro: payment.amountMicro,
    debitAccount,
    recipient: payment.payer,
  }));
  await owe(deps, tx, payouts, at);
}

/** Prizes, shares and refunds of projects, oldest first. */
export async function payoutsOfProjects(db: Queryable, projectIds: string[]): Promise<PayoutRow[]> {
  return await listOfProjects(db, projectIds);
}

/** What submissions have won. */
export async function payoutsOfSubmissions(db: Queryable, submissionIds: string[]): Promise<PayoutRow[]> {
  return await listOfSubmissions(db, submissionIds);
}

function prizePayout(
  deps: Pick<Deps, 'newId'>,
  projectId: string,
  { submissionId, agentId, amountMicro, wallet }: Award,
  { kind, reference }: Pick<NewPayout, 'kind' | 'reference'>,
): NewPayout {
  return {
    id: deps.newId(),
    reference,
    kind,
    projectId,
    submissionId,
    agentId,
    paymentId: null,
    amountMicro,
    debitAccount: escrowAccount(projectId),
    recipient: wallet,
  };
}

/** Writes down what is owed, each once, with its line in the audit trail. */
export async function owe(deps: Pick<Deps, 'newId'>, tx: Tx, payouts: NewPayout[], at: Date): Promise<void> {
  await insertPayouts(tx, payouts, at);
  await recordAudits(
    deps,
    tx,
    payouts.map((payout) => ({
      at,
      actor: 'service',
      action: 'payout.owe',
      subject: `payout:${payout.id}`,
      details: { reference: payout.reference, amount_micro: payout.amountMicro, recipient: payout.recipient },
    })),
  );
}
