import type { Queryable, Tx } from '../context.ts';

export type PayoutKind = 'prize' | 'share' | 'refund';
export type PayoutState = 'waiting' | 'held' | 'ready' | 'sending' | 'settled';

export type PayoutRow = {
  id: string;
  reference: string;
  kind: PayoutKind;
  projectId: string | null;
  submissionId: string | null;
  agentId: string | null;
  /** The payment that a refund gives back. */
  paymentId: string | null;
  amountMicro: number;
  debitAccount: string;
  /** Null while it waits for the agent's wallet. */
  recipient: string | null;
  state: PayoutState;
  note: string | null;
  released: boolean;
  dueAt: Date;
  attempts: number;
  createdAt: Date;
  sentAt: Date | null;
  settledAt: Date | null;
  txHash: string | null;
};

export const payoutColumns = (db: Queryable) => db`
  id, reference, kind, project_id as "projectId", submission_id as "submissionId", agent_id as "agentId",
  payment_id as "paymentId", amount_micro as "amountMicro", debit_account as "debitAccount", recipient, state, note,
  released, due_at as "dueAt", attempts, created_at as "createdAt", sent_at as "sentAt", settled_at as "settledAt",
  tx_hash as "txHash"`;

export type NewPayout = Pick<
  PayoutRow,
  | 'id'
  | 'reference'
  | 'kind'
  | 'projectId'
  | 'submissionId'
  | 'agentId'
  | 'paymentId'
  | 'amountMicro'
  | 'debitAccount'
  | 'recipient'
>;

/** Each once: what is there already stays as it is. */
export async function insertPayouts(tx: Tx, payouts: NewPayout[], now: Date): Promise<void> {
  if (payouts.length === 0) return;
  const rows = payouts.map((payout) => ({
    id: payout.id,
    reference: payout.reference,
    kind: payout.kind,
    project_id: payout.projectId,
    submission_id: payout.submissionId,
    agent_id: payout.agentId,
    payment_id: payout.paymentId,
    amount_micro: payout.amountMicro,
    debit_account: payout.debitAccount,
    recipient: payout.recipient,
    state: payout.recipient === null ? 'waiting' : 'ready',
    note: payout.recipient === null ? 'the agent has not linked a wallet yet' : null,
    due_at: now,
    created_at: now,
    updated_at: now,
  }));
  // Thirteen values a row, and a statement takes 65,534.
  for (let from = 0; from < rows.length; from += 1000)
    await tx`insert into payouts ${tx(rows.slice(from, from + 1000))} on conflict (reference) do nothing`;
}

/** Index payouts_project. */
export async function listOfProjects(db: Queryable, projectIds: string[]): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`
    select ${payoutColumns(db)} from payouts where project_id = any(${projectIds}) order by created_at, id`;
}

/** Index payouts_submission: prizes and shares, not the refund of a fee. */
export async function listOfSubmissions(db: Queryable, submissionIds: string[]): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`
    select ${payoutColumns(db)} from payouts where submission_id = any(${submissionIds}) and kind <> 'refund'`;
}
