import type { Fragment, Queryable } from '../db/database.ts';
import { paymentColumns, type PaymentRow } from './queries.ts';
import type { PaymentKind } from './types.ts';

/** Whether the subject is paid, or has a payment that is still settling. Its owner must not change it meanwhile. */
export async function hasLivePayment(
  db: Queryable,
  { kind, subjectId }: { kind: PaymentKind; subjectId: string },
): Promise<boolean> {
  return (await liveSubjects(db, kind, [subjectId])).length > 0;
}

/** Returns those of the subjects that are paid, or have a payment that is still settling. Index payments_live_subject. */
export async function liveSubjects(db: Queryable, kind: PaymentKind, subjectIds: string[]): Promise<string[]> {
  if (subjectIds.length === 0) return [];
  const rows = await db<{ subjectId: string }[]>`
    select subject_id as "subjectId" from payments
    where kind = ${kind} and subject_id = any(${subjectIds}) and state in ('settling', 'settled') and not late`;
  return rows.map(({ subjectId }) => subjectId);
}

/** Whether the subject has a payment that is settling, and whose signature has not expired. Index payments_live_subject. */
export const mayStillSettle = (db: Queryable, kind: PaymentKind, subjectId: Fragment, now: Date) => db`exists (
  select from payments where kind = ${kind} and subject_id = ${subjectId} and state = 'settling' and not late
    and valid_before > ${Math.floor(now.getTime() / 1000)})`;

export type SettledMoney = Pick<PaymentRow, 'id' | 'kind' | 'subjectId' | 'payer' | 'payTo' | 'amountMicro'> & {
  txHash: string;
  settledAt: Date;
};

/** Returns the settled payments that count for these subjects, oldest first. Index payments_live_subject. */
export async function settledPaymentsOf(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
): Promise<SettledMoney[]> {
  return await db<SettledMoney[]>`
    select ${paymentColumns(db)} from payments
    where kind = ${kind} and subject_id = any(${subjectIds}) and state = 'settled' and not late
    order by settled_at, id`;
}

/** Returns the settled payments of a wallet into the treasury, late ones included. Index payments_authorization. */
export async function settledPaymentsBy(
  db: Queryable,
  { network, asset, payer }: { network: string; asset: string; payer: string },
): Promise<SettledMoney[]> {
  return await db<SettledMoney[]>`
    select ${paymentColumns(db)} from payments
    where network = ${network} and asset = ${asset} and payer = ${payer} and state = 'settled'
      and kind in ('entry_fee', 'escrow')
    order by settled_at, id`;
}

/** A payment whose transfer vanished from the chain, and which has not settled again. */
export type VanishedPayment = {
  id: string;
  kind: PaymentKind;
  subjectId: string;
  /** The account that it had credited. */
  account: string;
  /** Whether its signature, or its transaction, may still settle it, or another payment of its subject is settling. */
  isUndecided: boolean;
  /** Whether no other payment has paid for its subject. */
  isOnly: boolean;
};

/** Whether the subject of a payment has another one in this state. */
const other = (db: Queryable, state: 'settling' | 'settled') => db`exists (
  select from payments other where other.kind = payments.kind and other.subject_id = payments.subject_id
    and other.state = ${state} and not other.late and other.id <> payments.id)`;

/** Index payments_vanished. */
export async function vanishedPayments(db: Queryable): Promise<VanishedPayment[]> {
  return await db<VanishedPayment[]>`
    select id, kind, subject_id as "subjectId", vanished_from as account,
      state = 'settling' or watched or ${other(db, 'settling')} as "isUndecided",
      not ${other(db, 'settled')} as "isOnly"
    from payments where vanished_from is not null and state <> 'settled'`;
}

/** Returns the vanished payments of subjects that no other payment has paid for. */
export const unpaidSubjects = async (db: Queryable, kind: PaymentKind): Promise<VanishedPayment[]> =>
  (await vanishedPayments(db)).filter((one) => one.kind === kind && one.isOnly);

/** Whether the payment of a subject vanished from the chain and can never settle again. */
export async function isLost(db: Queryable, kind: PaymentKind, subjectId: string): Promise<boolean> {
  return (await unpaidSubjects(db, kind)).some((one) => !one.isUndecided && one.subjectId === subjectId);
}

/**
 * Returns those of these payments, and of the prizes of these projects, that are settled in blocks which no ledger check has
 * finally matched. Indexes: the primary key, payments_live_subject.
 */
export async function unscannedPayments(
  db: Queryable,
  { ids, projectIds }: { ids: string[]; projectIds: string[] },
): Promise<(PaymentRow & { blockNumber: number })[]> {
  if (ids.length + projectIds.length === 0) return [];
  return await db<(PaymentRow & { blockNumber: number })[]>`
    select ${paymentColumns(db)}, block_number as "blockNumber" from payments
    where state = 'settled'
      and (id = any(${ids}) or (kind = 'escrow' and subject_id = any(${projectIds}) and not late))
      and block_number > coalesce((select max(block_number) from treasury_scans scan
        where scan.network = payments.network and scan.treasury = payments.pay_to), -1)`;
}

/** Whether a ledger check has finally matched this block and every one before it: no later check reads them again. */
export async function isScanned(db: Queryable, network: string, block: number): Promise<boolean> {
  const rows = await db`select 1 from treasury_scans where network = ${network} and block_number >= ${block} limit 1`;
  return rows.length > 0;
}

export type UndecidedPayments = { kind: string; state: 'settling' | 'failed'; count: number; oldestAt: Date };

/** Counts the payments that are settling, and the failed ones that could still execute. Index payments_sweep. */
export async function countUndecided(db: Queryable): Promise<UndecidedPayments[]> {
  return await db<UndecidedPayments[]>`
    select kind, state, count(*) as count, min(created_at) as "oldestAt" from payments
    where state = 'settling' or (state = 'failed' and watched)
    group by kind, state`;
}

export type VolumeRow = { day: string; kind: PaymentKind; payments: number; amountMicro: number };

/**
 * Sums the settled payments of each UTC day from `since` on, by kind. An index-only scan of payments_settled: 0.25 s for
 * 1,000,000 payments.
 */
export async function sumDays(db: Queryable, since: Date): Promise<VolumeRow[]> {
  return await db<VolumeRow[]>`
    select (settled_at at time zone 'UTC')::date::text as day, kind, count(*)::integer as payments,
      sum(amount_micro)::bigint as "amountMicro"
    from payments where state = 'settled' and settled_at >= ${since} group by 1, 2`;
}
