import type { Queryable, Tx } from '../db/database.ts';

const DAY = '24 hours';

/** Only one sender at a time can compare a payout with the caps, across all processes. */
export async function lockCaps(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('payouts:daily cap', 0))`;
}

/**
 * A sum that was sent in a window: in all, to a wallet, for the projects of a poster, or of what was owed before the window
 * (`isOlder`).
 */
export type SentSum = {
  givesBack: boolean;
  recipient: string | null;
  posterId: string | null;
  isOlder: boolean;
  micro: number;
};

/**
 * Sums what was sent since a time, for refunds and returned strays (`givesBack`) and for all other payouts: in all, to each
 * of these wallets, for each of these posters, and of what was owed before that time. Leaves out what the operator released,
 * and refunds of a deposit that was less than a day old. An entry fee that goes back counts for no poster. Index
 * payouts_sent.
 */
export async function sentSince(
  tx: Tx,
  since: Date,
  { recipients, posterIds }: { recipients: string[]; posterIds: string[] },
): Promise<SentSum[]> {
  return await tx<SentSum[]>`
    with sent as materialized (
      select kind in ('refund', 'return') as gives_back, recipient, amount_micro,
        created_at < ${since} and credited_at is null as older,
        case when kind <> 'refund' or submission_id is null then poster_id end as poster_id
      from payouts
      where sent_at >= ${since} and not released
        and (deposited_at is null or deposited_at < sent_at - ${DAY}::interval)
    )
    select gives_back as "givesBack", null as recipient, null::uuid as "posterId", false as "isOlder",
      sum(amount_micro)::bigint as micro
    from sent group by gives_back
    union all
    select gives_back, null, null, true, sum(amount_micro)::bigint from sent where older group by gives_back
    union all
    select gives_back, recipient, null, false, sum(amount_micro)::bigint from sent
    where recipient = any(${recipients}) group by gives_back, recipient
    union all
    select gives_back, null, poster_id, false, sum(amount_micro)::bigint from sent
    where poster_id = any(${posterIds}::uuid[]) group by gives_back, poster_id`;
}

/** `until`: when the payout resumes by itself; null if only the operator can release it. */
export async function markHeld(
  tx: Tx,
  id: string,
  { note, until }: { note: string; until: Date | null },
): Promise<void> {
  await tx`update payouts set state = 'held', note = ${note}, held_until = ${until} where id = ${id}`;
}

const RESUMED_AT_ONCE = 1000;

/**
 * Resumes payouts whose window has begun. They are due since the window began, so they go before later ones, and the
 * smallest goes first. A time more than a day ahead comes from a clock that was set back since. Index payouts_held.
 */
export async function resumeHeld(db: Queryable, now: Date): Promise<number> {
  const { count } = await db`
    with due as materialized (
      select id as due_id from payouts
      where held_until is not null and (held_until <= ${now} or held_until > ${now}::timestamptz + ${DAY}::interval)
      order by held_until, amount_micro, id limit ${RESUMED_AT_ONCE} for update skip locked
    )
    update payouts set state = 'ready', note = null, due_at = least(held_until, ${now}), held_until = null
    from due where id = due_id`;
  return count;
}
