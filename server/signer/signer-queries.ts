import type { Db } from '../ports/database.ts';

/** A claimed payout, and what its origin says that it may pay. A row of the view `signer_transfers`. */
export type ClaimedPayout = {
  payoutId: string;
  kind: 'prize' | 'share' | 'refund' | 'withdrawal' | 'return';
  reference: string;
  state: string;
  recipient: string | null;
  amountMicro: number;
  projectId: string | null;
  submissionId: string | null;
  released: boolean;
  /** The small amounts that the transfer takes along, and whether all of them belong to its recipient. */
  carriedMicro: number;
  carriedFits: boolean;
  paymentState: 'settling' | 'settled';
  network: string;
  asset: string;
  payer: string;
  payTo: string;
  paymentMicro: number;
  authNonce: string;
  hasProject: boolean;
  isAwarded: boolean;
  prizeMicro: number | null;
  winnerSubmissionId: string | null;
  submissionOutcome: string | null;
  earningsMicro: number | null;
  isOfAgent: boolean | null;
  /** The sum of everything that the escrow of the project pays. */
  fromEscrowMicro: number;
  paidState: string | null;
  paidBy: string | null;
  paidMicro: number | null;
  paidId: string | null;
  strayId: string | null;
  straySender: string | null;
  strayMicro: number | null;
  isReturned: boolean | null;
  addressUsableAt: Date | null;
  releaseRecorded: boolean;
  /** A recovery must run, or the newest ledger check has a mismatch. */
  isStopped: boolean;
  /** The chain shows another end of the project: its payouts wait for an operator. */
  isContradicted: boolean;
};

/** Primary key of payouts; the view reads every other table by an index. */
export async function findClaimed(db: Db, payoutId: string): Promise<ClaimedPayout | null> {
  const [row] = await db<ClaimedPayout[]>`
    select payout_id as "payoutId", kind, reference, state, recipient, amount_micro as "amountMicro",
      project_id as "projectId", submission_id as "submissionId", released, carried_micro as "carriedMicro",
      carried_fits as "carriedFits", payment_state as "paymentState", network, asset, payer, pay_to as "payTo",
      payment_micro as "paymentMicro", auth_nonce as "authNonce", has_project as "hasProject", is_awarded as "isAwarded",
      prize_micro as "prizeMicro", winner_submission_id as "winnerSubmissionId",
      submission_outcome as "submissionOutcome", earnings_micro as "earningsMicro", is_of_agent as "isOfAgent",
      from_escrow_micro as "fromEscrowMicro", paid_state as "paidState", paid_by as "paidBy", paid_micro as "paidMicro",
      paid_id as "paidId", stray_id as "strayId", stray_sender as "straySender", stray_micro as "strayMicro",
      is_returned as "isReturned", address_usable_at as "addressUsableAt", release_recorded as "releaseRecorded",
      is_stopped as "isStopped", is_contradicted as "isContradicted"
    from signer_transfers where payout_id = ${payoutId}`;
  return row ?? null;
}

/** Fails if the database does not answer, or does not let this role read the view. */
export async function askView(db: Db): Promise<void> {
  await db`select payout_id from signer_transfers limit 0`;
}
