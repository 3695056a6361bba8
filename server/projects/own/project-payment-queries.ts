import { REVENUE } from '../../ledger/public.ts';
import type { Cursor } from '../../paging.ts';
import type { SettledMoney } from '../../payments/public.ts';
import type { Queryable } from '../../db/database.ts';
import type { PaymentKind } from '../../payments/types.ts';
import { payoutColumns, type PayoutKind, type PayoutRow } from '../../payouts/public.ts';

type Page = { after: Cursor; limit: number };

/**
 * Returns a page of the subjects' settled payments, in the order of settlement, and the sum of all of them. Index
 * payments_live_subject, one lookup per subject.
 */
export async function settledPage(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
  { after, limit }: Page,
): Promise<{ rows: SettledMoney[]; count: number; sumMicro: number }> {
  const settled = db`payments where kind = ${kind} and subject_id = any(${subjectIds}) and state = 'settled' and not late`;
  const [rows, [sums]] = await Promise.all([
    db<SettledMoney[]>`
      select id, kind, subject_id as "subjectId", payer, pay_to as "payTo", amount_micro as "amountMicro",
        tx_hash as "txHash", settled_at as "settledAt"
      from ${settled} and (settled_at, id) > (${after.at}, ${after.id}) order by settled_at, id limit ${limit}`,
    db<[{ count: number; sumMicro: number }]>`
      select count(*) as count, coalesce(sum(amount_micro), 0)::bigint as "sumMicro" from ${settled}`,
  ]);
  return { rows, ...sums };
}

/**
 * Returns what revenue got from the payments of these subjects, less what it gave, in the bookings of vanished transfers.
 * Indexes payments_live_subject, payments_vanished.
 */
export async function sumEarnedApart(db: Queryable, kind: PaymentKind, subjectIds: string[]): Promise<number> {
  const [row] = await db<[{ micro: number }]>`
    select coalesce(-sum(e.amount_micro), 0)::bigint as micro
    from payments p join ledger_journals j on j.payment_id = p.id join ledger_entries e on e.journal_id = j.id
    where p.kind = ${kind} and p.subject_id = any(${subjectIds}) and e.account_id = ${REVENUE}
      and ((p.state in ('settling', 'settled') and not p.late) or (p.vanished_from is not null and p.state <> 'settled'))`;
  return row.micro;
}

type PayoutSums = {
  settledMicro: number;
  /** Amounts that have left the project's accounts, for wallets that get them with their next transfer. */
  creditedMicro: number;
};

/** Returns a page of a project's payouts, oldest first, and the sums of all its payouts. Index payouts_project. */
export async function payoutsPage(
  db: Queryable,
  projectId: string,
  kinds: PayoutKind[],
  { after, limit }: Page,
): Promise<{ rows: PayoutRow[] } & PayoutSums> {
  const payouts = db`payouts where project_id = ${projectId} and kind = any(${kinds})`;
  const [rows, [sums]] = await Promise.all([
    db<PayoutRow[]>`
      select ${payoutColumns(db)} from ${payouts} and (created_at, id) > (${after.at}, ${after.id})
      order by created_at, id limit ${limit}`,
    db<[PayoutSums]>`
      select coalesce(sum(amount_micro) filter (where state = 'settled'), 0)::bigint as "settledMicro",
        coalesce(sum(amount_micro) filter (where state <> 'settled' and credited_at is not null), 0)::bigint as "creditedMicro"
      from ${payouts}`,
  ]);
  return { rows, ...sums };
}
