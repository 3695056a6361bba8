import { payoutColumns, type PayoutRow } from './queries.ts';
import type { Queryable, Tx } from '../db/database.ts';

/** How many amounts one transfer takes along. More would make its booking long. A wallet seldom has more than a few. */
export const CARRIED_AT_ONCE = 100;

/** The amounts that the next transfer to a wallet takes along. */
export type Waiting = { micro: number; count: number };

/** Sums what the next transfer to each of these wallets takes along. Index payouts_credited_wallet. */
export async function creditedSums(db: Queryable, recipients: string[]): Promise<Map<string, Waiting>> {
  const rows = await db<(Waiting & { recipient: string })[]>`
    select wallet as recipient, sum(amount_micro)::bigint as micro, count(*)::int as count
    from unnest(${[...new Set(recipients)]}::text[]) wallet cross join lateral (
      select amount_micro from payouts where recipient = wallet and state = 'credited' order by id limit ${CARRIED_AT_ONCE}
    ) waiting
    group by wallet`;
  return new Map(rows.map(({ recipient, micro, count }) => [recipient, { micro, count }]));
}

export type CreditedAmount = { id: string; amountMicro: number };

/** Returns what a transfer to a wallet takes along, oldest first. Index payouts_credited_wallet. */
export async function findCredited(db: Queryable, recipient: string): Promise<CreditedAmount[]> {
  return await db<CreditedAmount[]>`
    select id, amount_micro as "amountMicro" from payouts
    where recipient = ${recipient} and state = 'credited' order by id limit ${CARRIED_AT_ONCE}`;
}

/**
 * Only one process at a time credits a wallet. So the amounts that add up to a transfer are seen by the process that
 * credits the last of them.
 */
export async function lockWalletCredit(tx: Tx, recipient: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`payouts:credit:${recipient}`}, 0))`;
}

export async function markCredited(tx: Tx, id: string, note: string, now: Date): Promise<void> {
  await tx`
    update payouts set state = 'credited', credited_at = coalesce(credited_at, ${now}), note = ${note}
    where id = ${id}`;
}

/** A credited amount that a transfer can take along. */
export type Carried = Pick<
  PayoutRow,
  'id' | 'kind' | 'recipient' | 'posterId' | 'submissionId' | 'amountMicro' | 'released' | 'depositedAt'
>;

/**
 * Locks the amounts that add up for wallets, oldest first, without those that another transfer is taking. Index
 * payouts_credited_wallet.
 */
export async function lockCreditedOf(tx: Tx, recipients: string[]): Promise<Carried[]> {
  return await tx<Carried[]>`
    select id, kind, recipient, poster_id as "posterId", submission_id as "submissionId", amount_micro as "amountMicro", released,
      deposited_at as "depositedAt"
    from unnest(${recipients}::text[]) wallet cross join lateral (
      select * from payouts where recipient = wallet and state = 'credited' order by id limit ${CARRIED_AT_ONCE}
      for update skip locked
    ) waiting
    order by id`;
}

/** Locks amounts. Returns false if another transfer has taken one of them, or is taking it. */
export async function lockCredited(tx: Tx, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const locked = await tx`
    select 1 from payouts where id = any(${ids}) and state = 'credited' order by id for update skip locked`;
  return locked.length === ids.length;
}

/** Lets a transfer carry amounts along. The caller has locked them. */
export async function carryAlong(tx: Tx, carrierId: string, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update payouts set state = 'sending', sent_with = ${carrierId}, sent_at = ${now}, note = null
    where id = any(${ids})`;
}

/** Locks the payout of a transfer and those that it carries along. Index payouts_carried. */
export async function lockTransfer(tx: Tx, carrierId: string): Promise<PayoutRow[]> {
  return await tx<PayoutRow[]>`
    select ${payoutColumns(tx)} from payouts where id = ${carrierId} or sent_with = ${carrierId}
    order by id for update`;
}

/**
 * Marks a payout as refused; the amounts that its transfer would have carried along wait for another one. Null if it is not
 * ready any more, and has a transfer. The caller holds its lock. Indexes payouts_carried, payments_live_subject.
 */
export async function markRefused(tx: Tx, id: string, note: string): Promise<PayoutRow | null> {
  const [row] = await tx<PayoutRow[]>`
    update payouts set state = 'refused', note = ${note}, sent_at = null
    where id = ${id} and state in ('ready', 'sending') and not exists (select from payments
      where kind in ('payout', 'refund') and subject_id = payouts.id and payments.state in ('settling', 'settled') and not late)
    returning ${payoutColumns(tx)}`;
  if (!row) return null;
  await tx`
    update payouts set state = 'credited', sent_with = null, sent_at = null, note = ${note}
    where sent_with = ${id} and state = 'sending'`;
  return row;
}

/** Locks the prize of a project. Index payouts_project. */
export async function lockPrizeOf(tx: Tx, projectId: string): Promise<PayoutRow | null> {
  const [row] = await tx<PayoutRow[]>`
    select ${payoutColumns(tx)} from payouts where project_id = ${projectId} and kind = 'prize' for update`;
  return row ?? null;
}

/**
 * Deletes a payout that was never claimed for sending, so that nothing was signed for its reference. A later award of its
 * project uses the reference again. The caller holds its lock.
 */
export async function deleteUnsent(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`delete from payouts where id = ${id} and state in ('waiting', 'held', 'ready', 'refused')`;
  return count === 1;
}
