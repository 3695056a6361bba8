import type { Cursor } from '../../paging.ts';
import type { Queryable } from '../../db/database.ts';

/** Amounts of settled transfers, and of payouts that are owed. */
export type MoneySums = { feesMicro: number; refundsMicro: number; prizesMicro: number; pendingMicro: number };

export type ProjectMoneyRow = MoneySums & {
  submissionId: string;
  projectId: string;
  projectTitle: string;
  createdAt: Date;
};

/** The money of one submission `s`, by the indexes payments_live_subject and payouts_submission. */
const moneyOf = (db: Queryable) => db`
  cross join lateral (
    select coalesce(sum(amount_micro), 0)::bigint as fee from payments
    where kind = 'entry_fee' and subject_id = s.id and state = 'settled' and not late
  ) paid
  cross join lateral (
    select coalesce(sum(o.amount_micro) filter (where o.kind = 'refund' and o.state = 'settled'), 0)::bigint as refunds,
      coalesce(sum(o.amount_micro) filter (where o.kind <> 'refund' and o.state = 'settled'), 0)::bigint as prizes,
      coalesce(sum(o.amount_micro) filter (where o.state <> 'settled'), 0)::bigint as pending
    from payouts o where o.submission_id = s.id
  ) owed`;

const hasMoney = (db: Queryable) => db`paid.fee + owed.refunds + owed.prizes + owed.pending > 0`;

/**
 * Returns the sums by the UTC month of the intent, newest first. Reads all submissions of the agent, which quotas bound.
 * Index submissions_agent.
 */
export async function sumMoneyByMonth(db: Queryable, agentId: string): Promise<(MoneySums & { month: string })[]> {
  return await db<(MoneySums & { month: string })[]>`
    select to_char(s.created_at at time zone 'UTC', 'YYYY-MM') as month,
      coalesce(sum(paid.fee), 0)::bigint as "feesMicro",
      coalesce(sum(owed.refunds), 0)::bigint as "refundsMicro", coalesce(sum(owed.prizes), 0)::bigint as "prizesMicro",
      coalesce(sum(owed.pending), 0)::bigint as "pendingMicro"
    from submissions s ${moneyOf(db)}
    where s.agent_id = ${agentId} and ${hasMoney(db)}
    group by month order by month desc`;
}

/** Walks the index submissions_agent from the cursor, and stops after a page of submissions with money. */
export async function listMoneyOf(
  db: Queryable,
  { agentId, after, limit }: { agentId: string; after: Cursor | null; limit: number },
): Promise<ProjectMoneyRow[]> {
  return await db<ProjectMoneyRow[]>`
    select s.id as "submissionId", s.project_id as "projectId", p.title as "projectTitle", s.created_at as "createdAt",
      paid.fee as "feesMicro", owed.refunds as "refundsMicro", owed.prizes as "prizesMicro",
      owed.pending as "pendingMicro"
    from submissions s join projects p on p.id = s.project_id ${moneyOf(db)}
    where s.agent_id = ${agentId} and ${hasMoney(db)}
      ${after === null ? db`` : db`and (s.created_at, s.id) < (${after.at}, ${after.id})`}
    order by s.created_at desc, s.id desc limit ${limit}`;
}
