import { recordAudits } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { escrowAccount, feesAccount, payableAccount } from '../ledger/public.ts';
import { requireOnChain, settledPaymentsOf, type SettledMoney } from '../payments/public.ts';
import { insertPayouts, type NewPayout } from './queries.ts';
import { prizeReference, refundReference, shareReference } from './references.ts';
import type { Tx } from '../db/database.ts';
import type { RefundLatePayment } from '../payments/types.ts';

type Award = {
  submissionId: string;
  agentId: string;
  amountMicro: number;
  /** The agent's linked wallet, or null if the payout waits for one. */
  wallet: string | null;
};

/** Owes the prize to the winner. The caller holds the project's lock and ensures that the prize is awarded once. */
export async function owePrize(
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

/** Owes each of several entries its share of the prize. */
export async function oweShares(
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
 * Owes the settled entry fees of these submissions back to their payers, each once. A fee whose settlement is still
 * unknown is refunded when it is booked, if the project no longer accepts it by then.
 */
export async function oweFeeRefunds(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, submissionIds, at }: { projectId: string; submissionIds: string[]; at: Date },
): Promise<void> {
  await requireOnChain(tx, { kind: 'entry_fee', subjectIds: submissionIds }, 'Nothing was changed');
  const fees = await settledPaymentsOf(tx, 'entry_fee', submissionIds);
  const refunds = fees.map((payment) =>
    refundPayout(deps, payment, {
      projectId,
      submissionId: payment.subjectId,
      amountMicro: payment.amountMicro,
      debitAccount: feesAccount(projectId),
    }),
  );
  await owe(deps, tx, refunds, at);
}

/** Owes the prize, or what is left of it, back to the wallet that paid it. */
export async function owePrizeRefund(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, amountMicro, at }: { projectId: string; amountMicro: number; at: Date },
): Promise<void> {
  await requireOnChain(tx, { kind: 'escrow', subjectIds: [projectId] }, 'Nothing was changed');
  const prizes = await settledPaymentsOf(tx, 'escrow', [projectId]);
  const debitAccount = escrowAccount(projectId);
  const refunds = prizes.map((payment) =>
    refundPayout(deps, payment, { projectId, submissionId: null, amountMicro, debitAccount }),
  );
  await owe(deps, tx, refunds, at);
}

function refundPayout(
  deps: Pick<Deps, 'newId'>,
  payment: SettledMoney,
  of: Pick<NewPayout, 'projectId' | 'submissionId' | 'amountMicro' | 'debitAccount'>,
): NewPayout {
  return {
    ...of,
    id: deps.newId(),
    reference: refundReference(payment.id),
    kind: 'refund',
    agentId: null,
    paymentId: payment.id,
    recipient: payment.payer,
    depositedAt: payment.settledAt,
  };
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

/** Inserts payouts, each reference once, and writes one audit entry for each new one. */
export async function owe(deps: Pick<Deps, 'newId'>, tx: Tx, payouts: NewPayout[], at: Date): Promise<void> {
  const inserted = await insertPayouts(tx, payouts, at);
  await recordAudits(
    deps,
    tx,
    payouts
      .filter(({ id }) => inserted.has(id))
      .map((payout) => ({
        at,
        actor: 'service',
        action: 'payout.owe',
        subject: `payout:${payout.id}`,
        details: { reference: payout.reference, amount_micro: payout.amountMicro, recipient: payout.recipient },
      })),
  );
}

/**
 * Creates the function that payments/ calls for money that its subject no longer accepts. It owes the money back to the
 * payer, in the transaction that books the payment.
 */
export function refundLatePayment(deps: Pick<Deps, 'newId'>): RefundLatePayment {
  return async (tx, payment) => {
    const refund = {
      id: deps.newId(),
      reference: refundReference(payment.id),
      kind: 'refund' as const,
      projectId: null,
      submissionId: null,
      agentId: null,
      paymentId: payment.id,
      amountMicro: payment.amountMicro,
      debitAccount: payableAccount(payment.payer),
      recipient: payment.payer,
      depositedAt: payment.at,
    };
    await owe(deps, tx, [refund], payment.at);
  };
}
