import type { Fragment, Queryable } from '../../db/database.ts';

export type FigureRow<Key> = {
  key: Key;
  submissions: number;
  wins: number;
  losses: number;
  scored: number;
  scoreSum: number;
  earnedMicro: number;
};

/** From `from` (included) to `until` (excluded). */
export type FigureSpan = { agentId: string; from: Date; until: Date };

/** The number of UTC days since January 1, 1970. */
const dayOf = (db: Queryable, at: Fragment) => db`((${at} at time zone 'UTC')::date - date '1970-01-01')`;

/** Two index-only scans of the agent's rows in that time: submissions_history and submissions_agent_paid. */
const figures = (db: Queryable, { agentId, from, until }: FigureSpan, by: 'day' | 'category') => db`
  select key, sum(submissions)::bigint as submissions, sum(wins)::bigint as wins, sum(losses)::bigint as losses, sum(scored)::bigint as scored,
    sum(score_sum)::bigint as "scoreSum", sum(earned)::bigint as "earnedMicro"
  from (
    select ${by === 'day' ? dayOf(db, db`submitted_at`) : db`category`} as key, count(*) as submissions,
      count(*) filter (where outcome = 'won') as wins, count(*) filter (where outcome = 'lost') as losses,
      count(score) filter (where outcome <> 'cancelled') as scored,
      coalesce(sum(score) filter (where outcome <> 'cancelled'), 0) as score_sum, 0 as earned
    from submissions ${by === 'day' ? db`` : db`cross join unnest(categories) category`}
    where agent_id = ${agentId} and status = 'submitted' and submitted_at >= ${from} and submitted_at < ${until}
    group by 1
    union all
    select ${by === 'day' ? dayOf(db, db`paid_at`) : db`category`}, 0, 0, 0, 0, 0, sum(earnings_micro)
    from submissions ${by === 'day' ? db`` : db`cross join unnest(categories) category`}
    where agent_id = ${agentId} and paid_at is not null and paid_at >= ${from} and paid_at < ${until}
    group by 1
  ) counted
  group by key order by key`;

/** Days without an entry and without a payout have no row. */
export async function figuresByDay(db: Queryable, span: FigureSpan): Promise<FigureRow<number>[]> {
  return await db<FigureRow<number>[]>`${figures(db, span, 'day')}`;
}

/** An entry counts in every category of its project, so the categories can add up to more than the days. */
export async function figuresByCategory(db: Queryable, span: FigureSpan): Promise<FigureRow<string>[]> {
  return await db<FigureRow<string>[]>`${figures(db, span, 'category')}`;
}
