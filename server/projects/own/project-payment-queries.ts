import type { Cursor } from '../../paging.ts';
import type { SettledMoney } from '../../payments/public.ts';
import type { Queryable } from '../../db/database.ts';
import type { PaymentKind } from '../../payments/types.ts';

/** In the order of settlement, after a position. Index payments_live_subject, one lookup per subject. */
export async function listSettledPage(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
  { after, limit }: { after: Cursor; limit: number },
): Promise<SettledMoney[]> {
  return await db<SettledMoney[]>`
    select id, kind, subject_id as "subjectId", payer, pay_to as "payTo", amount_micro as "amountMicro",
      tx_hash as "txHash", settled_at as "settledAt"
    from payments
    where kind = ${kind} and subject_id = any(${subjectIds}) and state = 'settled' and not late
      and (settled_at, id) > (${after.at}, ${after.id})
    order by settled_at, id limit ${limit}`;
}

/** Index payments_live_subject. */
export async function sumSettled(
  db: Queryable,
  kind: PaymentKind,
  subjectIds: string[],
): Promise<{ count: number; micro: number }> {
  const [row] = await db<{ count: number; micro: number }[]>`
    select count(*) as count, coalesce(sum(amount_micro), 0)::bigint as micro from payments
    where kind = ${kind} and subject_id = any(${subjectIds}) and state = 'settled' and not late`;
  return row ?? { count: 0, micro: 0 };
}
