import type { Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import { payoutOverviews } from '../../payouts/public.ts';
import { posterNames } from '../../posters/public.ts';
import { shownHold } from '../../projects/public.ts';
import type { AnyProjectRow } from './all-projects-queries.ts';
import type { Queryable } from '../../ports/database.ts';

type Listed = Output<typeof overviewOperations.listProjectsAsOperator>['projects'][number];

/** Adds posters and payouts to projects, with two statements for any number of projects. */
export async function operatorProjects(db: Queryable, rows: AnyProjectRow[]): Promise<Listed[]> {
  const owing = rows.filter(({ awardedAt, status }) => awardedAt !== null || status === 'cancelled');
  const [posters, payouts] = await Promise.all([
    posterNames(
      db,
      rows.map(({ posterId }) => posterId),
    ),
    payoutOverviews(
      db,
      owing.map(({ id }) => id),
      1,
    ),
  ]);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    status: row.status,
    poster: { id: row.posterId, name: posters.get(row.posterId)?.name ?? '' },
    prize_micro: row.prizeMicro,
    entry_fee_micro: row.entryFeeMicro,
    total_submissions: row.totalSubmissions,
    created_at: row.createdAt,
    published_at: row.publishedAt,
    auto_select_deadline: row.deadline,
    closed_at: row.closedAt,
    judging_ends_at: row.judgingEndsAt,
    awarded_at: row.awardedAt,
    completed_at: row.completedAt,
    cancel_reason: row.cancelReason,
    latest_deadline: row.latestDeadline,
    closes_at: row.closesAt,
    result_on_hold: shownHold(row),
    hold_reason: row.holdReason,
    cancelled_at: row.cancelledAt,
    cancelled_by: row.cancelledBy,
    no_winner_reason: row.status === 'cancelled' ? row.noWinnerReason : null,
    payout_status: payouts.get(row.id)?.status ?? null,
  }));
}
