import { agentsOfWallet } from '../../agents/public.ts';
import type { Deps } from '../../deps.ts';
import { entriesOf, findSubmission } from '../../entries/public.ts';
import type { PaidDecision } from '../../judging/public.ts';
import { paymentOfTransfer, settledPaymentsBy, settledPaymentsOf } from '../../payments/public.ts';
import { payoutNonce, type PayoutRow, refundReference, unsettledByNonce } from '../../payouts/public.ts';
import { findMoneyState } from '../../projects/public.ts';
import type { IncomingKind } from '../../payments/types.ts';
import type { Derive } from './derive.ts';
import type { Lost } from './transfers.ts';

export type ExplainDeps = Pick<Deps, 'db' | 'clock' | 'network' | 'payments'> & { derive: Derive };

/** The meaning of a lost transfer, as far as the database and the chain tell. */
export type Explanation =
  /** Its authorization belongs to a payment. */
  | { as: 'payment'; subject: string; paymentId: string }
  /** Its nonce belongs to a payout that is not settled. `winner`: the entry whose agent it paid, if that is another one. */
  | {
      as: 'payout';
      subject: string;
      payoutId: string;
      projectId: string | null;
      winner: { projectId: string; submissionId: string } | null;
    }
  /** Its nonce belongs to a payout that only a lost decision creates. */
  | { as: 'decision'; subject: string; decision: PaidDecision }
  /** Its nonce belongs to the refund of an entry fee in a project that holds its fees. */
  | { as: 'fee_refund'; subject: string; projectId: string; submissionId: string; reference: string }
  /** It paid for a subject that is not paid. */
  | { as: 'subject'; subject: string; kind: IncomingKind; subjectId: string }
  /** The project ended in another way. Nothing more may leave it without the operator. */
  | { as: 'contradiction'; projectId: string; why: string }
  | { as: 'unknown'; why: string };

const UNKNOWN = 'its authorization belongs to no payout that the database knows or can derive';

/** Explains a transfer out of the treasury by the nonce of its authorization. */
export async function explainOutgoing(deps: ExplainDeps, transfer: Lost): Promise<Explanation> {
  const { nonce, to, amountMicro } = transfer;
  if (nonce === null) return { as: 'unknown', why: 'no authorization made it: somebody used the key of the treasury' };
  const payment = await paymentOfTransfer(deps.db, deps, transfer);
  // A payment that was booked since the transfers were read is booked again, which changes nothing.
  if (payment?.payTo === to && payment.amountMicro === amountMicro)
    return { as: 'payment', subject: `payment:${payment.id}`, paymentId: payment.id };
  const owed = (await unsettledByNonce(deps.db)).get(nonce);
  if (owed) return await explainOwed(deps, owed, transfer);
  return (await lostDecision(deps, transfer)) ?? (await lostRefund(deps, transfer)) ?? { as: 'unknown', why: UNKNOWN };
}

async function explainOwed(deps: ExplainDeps, payout: PayoutRow, { to }: Lost): Promise<Explanation> {
  const { id: payoutId, kind, projectId, submissionId, recipient } = payout;
  const known = { as: 'payout', subject: `payout:${payoutId}`, payoutId, projectId, winner: null } as const;
  // The reference of a share names its entry, so another wallet is one that the same agent had.
  if (recipient === to || kind === 'share') return known;
  const what = `it paid ${to}, but payout ${payoutId} with its nonce owes ${recipient}`;
  if (projectId === null) return { as: 'unknown', why: what };
  const paid = kind === 'prize' ? await entryOfWallet(deps, projectId, to) : null;
  // A payout without a recipient waits for a wallet, which can be this one.
  if (paid === null) return recipient === null ? known : contradiction(projectId, what);
  return paid === submissionId ? known : { ...known, winner: { projectId, submissionId: paid } };
}

/**
 * Returns the confirmed entry whose prize this wallet can have got: its agent linked the wallet, or the wallet paid its fee.
 * Null unless exactly one fits: one wallet can pay for several agents.
 */
async function entryOfWallet({ db }: ExplainDeps, projectId: string, wallet: string): Promise<string | null> {
  const [entries, agents] = await Promise.all([entriesOf(db, projectId), agentsOfWallet(db, wallet)]);
  const ids = entries.map(({ id }) => id);
  const paid = (await settledPaymentsOf(db, 'entry_fee', ids)).filter(({ payer }) => payer === wallet);
  const fitting = new Set(entries.filter(({ agentId }) => agents.includes(agentId)).map(({ id }) => id));
  for (const { subjectId } of paid) fitting.add(subjectId);
  const [only = null] = fitting;
  return fitting.size === 1 ? only : null;
}

/**
 * Finds the project whose award or cancellation was lost, by the nonces of all prizes and shares. If the project has ended in
 * another way since, the transfer contradicts it.
 */
async function lostDecision(deps: ExplainDeps, { nonce, to, amountMicro }: Lost): Promise<Explanation | null> {
  const derived = await deps.derive(nonce ?? '');
  if (derived === null) return null;
  const { projectId, reference, kind } = derived;
  const subject = `project:${projectId}`;
  const state = await findMoneyState(deps.db, projectId);
  if (!state?.undecided) return contradiction(projectId, `it is the ${kind} of ${subject}`);
  if (kind === 'share') return { as: 'decision', subject, decision: { projectId, reference, amountMicro, kind } };
  const winnerId = await entryOfWallet(deps, projectId, to);
  if (winnerId === null) return contradiction(projectId, `it is the prize of ${subject}, but no entry has its wallet`);
  return { as: 'decision', subject, decision: { projectId, reference, amountMicro, kind, winnerId } };
}

function contradiction(projectId: string, what: string): Explanation {
  return { as: 'contradiction', projectId, why: `${what}. The database has another end of this project` };
}

/** Finds the payment of the recipient that the transfer gave back. */
async function lostRefund(deps: ExplainDeps, { nonce, to, amountMicro }: Lost): Promise<Explanation | null> {
  const { network } = deps;
  const paid = await settledPaymentsBy(deps.db, { network: network.id, asset: network.usdc.address, payer: to });
  const payment = paid.find(({ id }) => payoutNonce(refundReference(id)) === nonce);
  if (!payment) return null;
  const reference = refundReference(payment.id);
  const subject = `payment:${payment.id}`;
  if (payment.kind === 'escrow') {
    const projectId = payment.subjectId;
    const state = await findMoneyState(deps.db, projectId);
    if (!state?.undecided) return contradiction(projectId, `it gives the prize of project:${projectId} back`);
    return { as: 'decision', subject, decision: { projectId, reference, amountMicro, kind: 'refund' } };
  }
  const submission = await findSubmission(deps.db, payment.subjectId);
  if (submission === null || !(await findMoneyState(deps.db, submission.project_id))?.holdsFees)
    return { as: 'unknown', why: `it refunds ${subject}, whose project has ended without this refund` };
  return { as: 'fee_refund', subject, projectId: submission.project_id, submissionId: submission.id, reference };
}

/** Explains a transfer into the treasury: by its authorization, else by its wallet and amount if exactly one fits. */
export async function explainIncoming(deps: ExplainDeps, transfer: Lost): Promise<Explanation> {
  const { from: payer, amountMicro, nonce } = transfer;
  if (nonce === null) return { as: 'unknown', why: 'no authorization made it' };
  const payment = await paymentOfTransfer(deps.db, deps, transfer);
  if (payment) return { as: 'payment', subject: `payment:${payment.id}`, paymentId: payment.id };
  const { entry_fee: fees, escrow: prizes } = deps.payments.subjects;
  const paid = { payer, amountMicro, at: deps.clock.now() };
  const [intents, drafts] = [
    (await fees.unpaidBy?.(deps.db, paid)) ?? [],
    (await prizes.unpaidBy?.(deps.db, paid)) ?? [],
  ];
  const [subjectId, second] = [...intents, ...drafts];
  if (subjectId === undefined) return { as: 'unknown', why: 'nothing unpaid has its wallet and amount' };
  if (second !== undefined) return { as: 'unknown', why: 'several unpaid things have its wallet and amount' };
  return intents.length === 1
    ? { as: 'subject', subject: `submission:${subjectId}`, kind: 'entry_fee', subjectId }
    : { as: 'subject', subject: `project:${subjectId}`, kind: 'escrow', subjectId };
}
