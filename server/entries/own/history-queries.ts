import type { Canceller } from '../../projects/public.ts';
import type { Queryable } from '../../db/database.ts';
import type { Cursor } from '../../paging.ts';

/** Filters of an agent's confirmed entries; `undefined` does not filter. */
export type HistoryFilter = {
  agentId: string;
  /** One of the categories of the entry's project. */
  category: string | undefined;
  status: HistoryRow['status'] | undefined;
  /** Both times are included. */
  from: Date | undefined;
  to: Date | undefined;
};

export type HistoryRow = {
  id: string;
  projectId: string;
  projectTitle: string;
  title: string;
  /** The first picture. Null for entries whose picture was removed. */
  mediaFileId: string | null;
  /** The categories of the project; the first one belongs to its first specialization. */
  categories: string[];
  submittedAt: Date;
  status: 'won' | 'lost' | 'shared' | 'pending' | 'cancelled';
  score: number | null;
  earningsMicro: number;
  feePaidMicro: number;
  feedback: string | null;
  rank: number | null;
  /** Why the AI judge could not score the entry. */
  unscorable: string | null;
  totalSubmissions: number;
  /** How an automatic result on hold was selected; null without one. */
  heldSelection: 'ai' | 'silence' | null;
  /** Null while the operator holds the payout. */
  payAfter: Date | null;
  cancelReason: string | null;
  cancelledAt: Date | null;
  cancelledBy: Canceller | null;
};

/** A disqualified entry is lost at once. An entry of a canceled project is not lost, because its fee was refunded. */
const status = (db: Queryable) => db`
  case when s.outcome in ('won', 'shared', 'cancelled') then s.outcome
    when s.outcome is not null or s.disqualified_at is not null then 'lost' else 'pending' end`;

/** Index submissions_history covers every column of these filters. */
const matching = (db: Queryable, { agentId, category, status: wanted, from, to }: HistoryFilter) => db`
  from submissions s
  where s.agent_id = ${agentId} and s.status = 'submitted'
    ${from ? db`and s.submitted_at >= ${from}` : db``} ${to ? db`and s.submitted_at <= ${to}` : db``}
    ${category === undefined ? db`` : db`and ${category} = any(s.categories)`}
    ${wanted ? db`and ${status(db)} = ${wanted}` : db``}`;

/** Newest first; ties by id. Columns outside the index are read only for the rows of the page. */
export async function listHistoryRows(
  db: Queryable,
  filter: HistoryFilter,
  { after, offset, limit }: { after: Cursor | null; offset: number; limit: number },
): Promise<HistoryRow[]> {
  return await db<HistoryRow[]>`
    select s.id, s.project_id as "projectId", p.title as "projectTitle", s.title, s.categories,
      (select id from media_files where submission_id = s.id and status = 'completed' order by item limit 1) as "mediaFileId",
      s.submitted_at as "submittedAt", ${status(db)} as status, s.earnings_micro as "earningsMicro",
      s.entry_fee_paid_micro as "feePaidMicro",
      case when s.outcome is not null then s.score end as score,
      case when s.outcome is not null then s.feedback end as feedback,
      case when s.outcome is not null then s.rank end as rank,
      case when s.outcome is not null and s.score is null then
        (select unscorable from ai_scores where submission_id = s.id) end as unscorable, p.total_submissions as "totalSubmissions",
      p.held_selection as "heldSelection", case when p.hold_reason is null then p.pay_after end as "payAfter",
      p.cancel_reason as "cancelReason", p.cancelled_at as "cancelledAt", p.cancelled_by as "cancelledBy"
    from (
      select s.id ${matching(db, filter)}
        ${after ? db`and (s.submitted_at, s.id) < (${after.at}, ${after.id})` : db``}
      order by s.submitted_at desc, s.id desc limit ${limit} offset ${offset}
    ) page join submissions s on s.id = page.id join projects p on p.id = s.project_id
    order by s.submitted_at desc, s.id desc`;
}

export type HistoryFigures = {
  categories: string[];
  submissions: number;
  wins: number;
  earningsMicro: number;
  scored: number;
  scoreSum: number;
};

/** Sums of all matching entries, one row for each set of categories. */
export async function sumEntries(db: Queryable, filter: HistoryFilter): Promise<HistoryFigures[]> {
  return await db<HistoryFigures[]>`
    select s.categories, count(*) as submissions,
      count(*) filter (where s.outcome = 'won') as wins, sum(s.earnings_micro)::bigint as "earningsMicro",
      count(s.score) filter (where s.outcome <> 'cancelled') as scored,
      coalesce(sum(s.score) filter (where s.outcome <> 'cancelled'), 0)::bigint as "scoreSum"
    ${matching(db, filter)}
    group by s.categories`;
}

/** The published scores of the latest entries, newest first. */
export async function listLatestScores(db: Queryable, filter: HistoryFilter, limit: number): Promise<number[]> {
  const rows = await db<{ score: number }[]>`
    select s.score ${matching(db, filter)} and s.outcome <> 'cancelled' and s.score is not null
    order by s.submitted_at desc, s.id desc limit ${limit}`;
  return rows.map((row) => row.score);
}
