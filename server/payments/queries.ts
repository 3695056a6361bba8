import type { Input } from '../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { readNewest } from '../paging.ts';
import type { PaidTransfer } from '../chain/types.ts';
import type { SealedPayment } from './sealed-payment.ts';
import type { AuthorizationKey } from '../x402/public.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';
import type { PaymentKind } from './types.ts';

export type PaymentState = 'settling' | 'settled' | 'failed';

export type PaymentRow = {
  id: string;
  kind: PaymentKind;
  subjectId: string;
  network: string;
  asset: string;
  payer: string;
  payTo: string;
  amountMicro: number;
  authNonce: string;
  validBefore: number;
  x402Version: 1 | 2;
  fromBlock: number;
  state: PaymentState;
  late: boolean;
  txHash: string | null;
  logIndex: number | null;
  error: string | null;
  createdAt: Date;
  settledAt: Date | null;
  /** The terms that the payer agreed to. */
  termsHash: string | null;
  /** The account that the payment had credited when its transfer vanished from the chain. */
  vanishedFrom: string | null;
  /** Whether the row holds a signature. A transfer out is claimed first, and signed then. */
  isSigned: boolean;
  watched: boolean;
  leaseUntil: Date | null;
  sweeps: number;
};

export const paymentColumns = (db: Queryable) => db`
  id, kind, subject_id as "subjectId", network, asset, payer, pay_to as "payTo", amount_micro as "amountMicro",
  auth_nonce as "authNonce", valid_before as "validBefore", x402_version as "x402Version", from_block as "fromBlock",
  state, late, tx_hash as "txHash", log_index as "logIndex", error, created_at as "createdAt", settled_at as "settledAt",
  terms_hash as "termsHash", vanished_from as "vanishedFrom", signature is not null as "isSigned", watched, lease_until as "leaseUntil", sweeps`;

type Subject = { kind: PaymentKind; subjectId: string };

/** `live`: the subject's payment that counts, settled or settling. `sameAuthorization`: the row of the authorization. */
export type LivePayment = { live: PaymentRow | null; sameAuthorization: PaymentRow | null };

/** Two index lookups in one statement: payments_live_subject, payments_authorization. */
export async function findLivePayment(
  db: Queryable,
  subject: Subject,
  key: AuthorizationKey | null,
): Promise<LivePayment> {
  const rows = await db<(PaymentRow & { isLive: boolean })[]>`
    select true as "isLive", ${paymentColumns(db)} from payments
    where kind = ${subject.kind} and subject_id = ${subject.subjectId} and state in ('settling', 'settled') and not late
    ${
      key === null
        ? db``
        : db`
      union all
      select false, ${paymentColumns(db)} from payments
      where network = ${key.network} and asset = ${key.asset} and payer = ${key.payer} and auth_nonce = ${key.authNonce}`
    }`;
  return {
    live: rows.find((row) => row.isLive) ?? null,
    sameAuthorization: rows.find((row) => !row.isLive) ?? null,
  };
}

/** Index payments_authorization. */
export async function findByAuthorization(db: Queryable, key: AuthorizationKey): Promise<PaymentRow | null> {
  const { network, asset, payer, authNonce } = key;
  const [row] = await db<PaymentRow[]>`
    select ${paymentColumns(db)} from payments
    where network = ${network} and asset = ${asset} and payer = ${payer} and auth_nonce = ${authNonce}`;
  return row ?? null;
}

/** Gives a payout's claim the recipient that the chain shows. Null when the payment was booked meanwhile. */
export async function correctTransfer(tx: Tx, id: string, { payTo }: { payTo: string }): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    update payments set pay_to = ${payTo} where id = ${id} and state = 'settling'
    returning ${paymentColumns(tx)}`;
  return row ?? null;
}

export async function findPayment(db: Queryable, id: string): Promise<PaymentRow | null> {
  const [row] = await db<PaymentRow[]>`select ${paymentColumns(db)} from payments where id = ${id}`;
  return row ?? null;
}

/** Reads the signed payment, to settle it again. */
export async function findSealedPayment(db: Queryable, id: string): Promise<SealedPayment | null> {
  const [row] = await db<SealedPayment[]>`
    select x402_version as "x402Version", payload, requirements, signature from payments where id = ${id}`;
  return row ?? null;
}

export type NewPayment = AuthorizationKey &
  Subject & {
    id: string;
    payTo: string;
    amountMicro: number;
    validBefore: number;
    /** A claimed transfer out has no signature yet; a payment that was recovered from the chain never gets one. */
    sealed: Omit<SealedPayment, 'signature'> & { signature: Buffer | null };
    fromBlock: number;
    forwardedFor: string | null;
    termsHash?: string | null;
    now: Date;
    leaseUntil: Date;
  };

/** Null when the subject or the authorization has a row already: another request was first. */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<PaymentRow | null> {
  const { sealed, now, ...columns } = payment;
  const [payload, requirements] = [tx.json(sealed.payload), tx.json(sealed.requirements)];
  const written = { ...columns, ...sealed, payload, requirements, createdAt: now, sweepAt: payment.leaseUntil };
  const [row] = await tx<PaymentRow[]>`
    insert into payments ${tx({ ...written, state: 'settling' })} on conflict do nothing
    returning ${paymentColumns(tx)}`;
  return row ?? null;
}

/** Null when another process wrote the outcome, or took the lease, meanwhile. */
export async function renewSigned(
  db: Db,
  row: Pick<PaymentRow, 'id' | 'leaseUntil'>,
  { sealed, validBefore }: { sealed: SealedPayment; validBefore: number },
): Promise<PaymentRow | null> {
  const [renewed] = await db<PaymentRow[]>`
    update payments set payload = ${db.json(sealed.payload)}, requirements = ${db.json(sealed.requirements)},
      signature = ${sealed.signature}, valid_before = ${validBefore}
    where id = ${row.id} and state = 'settling' and lease_until = ${row.leaseUntil}
    returning ${paymentColumns(db)}`;
  return renewed ?? null;
}

/** Locks the row. Null when it is settled already. */
export async function lockUnbooked(tx: Tx, id: string): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    select ${paymentColumns(tx)} from payments where id = ${id} and state <> 'settled' for update`;
  return row ?? null;
}

/** The caller sends it together with the journal, in one round trip. */
export async function markSettled(
  tx: Tx,
  id: string,
  change: { transfer: PaidTransfer; late: boolean; error: string | null; termsHash: string | null; now: Date },
): Promise<PaymentRow> {
  const { transfer, late, error, termsHash, now } = change;
  const [row] = await tx<[PaymentRow]>`
    update payments set state = 'settled', late = ${late}, tx_hash = ${transfer.txHash},
      log_index = ${transfer.logIndex}, block_number = ${transfer.blockNumber}, error = ${error}, settled_at = ${now},
      terms_hash = ${termsHash}, watched = false, lease_until = null
    where id = ${id} returning ${paymentColumns(tx)}`;
  return row;
}

/**
 * Marks a payment as failed. `watched`: its authorization could still execute. `heldUntil`: the caller's lease; the row
 * changes only while the caller still holds it. False when another process decided, or took the lease, meanwhile.
 */
export async function markFailed(
  db: Queryable,
  id: string,
  change: { error: string; watched: boolean; heldUntil: Date | null; sweepAt: Date },
): Promise<boolean> {
  const { heldUntil } = change;
  const rows = await db`
    update payments set state = 'failed', error = ${change.error}, watched = ${change.watched},
      lease_until = null, sweep_at = ${change.sweepAt}
    where id = ${id} and state = 'settling' ${heldUntil === null ? db`` : db`and lease_until = ${heldUntil}`}
    returning id`;
  return rows.length === 1;
}

/** Releases the lease of an undecided payment, if it is still the lease that `row` was read with. */
export async function releasePayment(
  db: Queryable,
  row: Pick<PaymentRow, 'id' | 'leaseUntil'>,
  change: { error: string | null; sweepAt: Date; swept: boolean },
): Promise<void> {
  await db`
    update payments set lease_until = null, error = coalesce(${change.error}, error),
      sweep_at = ${change.sweepAt}, sweeps = sweeps + ${change.swept ? 1 : 0}
    where id = ${row.id} and state <> 'settled' and lease_until = ${row.leaseUntil}`;
}

/** Marks a payment as finally failed: its transfer was given back. The caller has locked the row. */
export async function markReturned(tx: Tx, id: string, error: string): Promise<PaymentRow> {
  const [row] = await tx<[PaymentRow]>`
    update payments set state = 'failed', error = ${error}, watched = false, lease_until = null
    where id = ${id} returning ${paymentColumns(tx)}`;
  return row;
}

/** Locks a payment that this transaction has settled. Null when that is no longer so. */
export async function lockSettled(tx: Tx, id: string, txHash: string): Promise<PaymentRow | null> {
  const [row] = await tx<PaymentRow[]>`
    select ${paymentColumns(tx)} from payments
    where id = ${id} and state = 'settled' and tx_hash = ${txHash} for update`;
  return row ?? null;
}

/** Returns whether the refund of a payment has left its account, or is leaving it; null without a refund. */
export async function findRefund(tx: Tx, paymentId: string): Promise<{ hasLeft: boolean } | null> {
  const [row] = await tx<{ hasLeft: boolean }[]>`
    select state in ('sending', 'settled') or credited_at is not null as "hasLeft" from payouts
    where payment_id = ${paymentId}`;
  return row ?? null;
}

/**
 * Marks a settled payment as undecided, or as failed and watched if it was late. The caller has locked the row and taken
 * its journal back.
 */
export async function markVanished(
  tx: Tx,
  { id, late }: Pick<PaymentRow, 'id' | 'late'>,
  { account, error, now }: { account: string; error: string; now: Date },
): Promise<void> {
  await tx`
    update payments set state = ${late ? 'failed' : 'settling'}, late = false, watched = true, vanished_from = ${account},
      error = ${error}, tx_hash = null, log_index = null, block_number = null, settled_at = null, lease_until = null,
      sweep_at = ${now}, sweeps = 0
    where id = ${id}`;
}

export async function stopWatching(db: Queryable, id: string): Promise<void> {
  await db`
    update payments set watched = false, lease_until = null where id = ${id} and state = 'failed'`;
}

type PaymentQuery = Omit<
  Input<typeof moneyOutOperations.listPayments>['query'],
  'project_id' | 'agent_id' | 'poster_id'
>;

/**
 * Reads a page of payments, newest first. Index payments_created, or payments_amount where few have such an amount; few
 * payments are undecided.
 *
 * @param subjectIds only live entry fees of these submissions, and live prizes of these projects
 */
export async function listPaymentRows(db: Queryable, query: PaymentQuery, subjectIds: string[] | undefined) {
  const { state, kind } = query;
  return await readNewest<PaymentRow>(db, query, {
    rows: db`
      select ${paymentColumns(db)} from payments where true
        ${state === undefined ? db`` : db`and state = any(${state})`} ${kind === undefined ? db`` : db`and kind = any(${kind})`}
        ${subjectIds === undefined ? db`` : paidFor(db, subjectIds)}`,
    at: db`created_at`,
    id: db`id`,
    amount: db`amount_micro`,
    cursorOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
}

/** The condition of payments_live_subject. */
const paidFor = (db: Queryable, subjectIds: string[]) => db`
  and kind in ('entry_fee', 'escrow') and subject_id = any(${subjectIds}::uuid[])
  and state in ('settling', 'settled') and not late`;
