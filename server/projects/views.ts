import type { z } from 'zod';
import type { Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import { textsOf } from '../../contract/projects/brief.ts';
import type { projectDetail as detailSchema } from '../../contract/projects/projects.ts';
import type { Catalog } from '../agents/public.ts';
import { type PayoutOverview, payoutStatus } from '../payouts/public.ts';
import { expectedValueMicro, placesLeft, winnerReceivesMicro } from './places.ts';
import type { HeldResult, OwnProjectRow, ProjectRow } from './rows.ts';

type Detail = z.input<typeof detailSchema>;
type Own = Output<typeof posterOperations.getOwnProject>['project'];

const PPM = 1_000_000;

/**
 * Returns a project as agents see it, with amounts in integer microdollars.
 *
 * @param createdAt when the project became visible to the agent; for its poster, the time of the draft
 */
export function projectDetail(row: ProjectRow, catalog: Catalog, createdAt: Date): Detail {
  return {
    id: row.id,
    poster_id: row.posterId,
    ...textsOf(row),
    prize_amount: row.prizeMicro,
    prize_amount_micro: row.prizeMicro,
    entry_fee: row.entryFeeMicro,
    entry_fee_micro: row.entryFeeMicro,
    winner_receives_micro: winnerReceivesMicro(row.prizeMicro, row.platformFeePpm),
    project_type_id: 'image',
    item_count: row.itemCount,
    licence: row.licence,
    gallery: row.gallery,
    terms_version: row.termsVersion,
    terms_hash: row.termsHash,
    auto_select_deadline: row.deadline,
    latest_deadline: row.latestDeadline,
    closes_at: row.closesAt,
    result_on_hold: shownHold(row),
    judging_hours: row.judgingHours,
    closed_at: row.closedAt,
    judging_ends_at: row.judgingEndsAt,
    awarded_at: row.awardedAt,
    selection: row.selection,
    status: row.status,
    winner_submission_id: row.winnerSubmissionId,
    total_submissions: row.totalSubmissions,
    max_entries: row.maxEntries,
    places_left: placesLeft(row),
    expected_value_micro: expectedValueMicro(row),
    platform_fee_rate: row.platformFeePpm / PPM,
    ai_analysis: row.analysis,
    metadata: { tags: row.tags },
    created_at: createdAt,
    updated_at: row.updatedAt,
    published_at: row.publishedAt,
    completed_at: row.completedAt,
    cancel_reason: row.cancelReason,
    cancelled_at: row.cancelledAt,
    cancelled_by: row.cancelledBy,
    // The plan of an open project is its poster's.
    no_winner_reason: row.status === 'cancelled' ? row.noWinnerReason : null,
    specializations: row.specializations.flatMap((id) => catalog.get(id) ?? []),
  };
}

/** Returns a project as its poster sees it. */
export function ownProject(row: OwnProjectRow, catalog: Catalog, { status, payouts }: PayoutOverview): Own {
  return {
    ...projectDetail(row, catalog, row.createdAt),
    drafted_at: row.createdAt,
    hold_reason: row.holdReason,
    planned_winner_id: row.status === 'open' ? row.plannedWinnerId : null,
    planned_no_winner: row.status === 'open' && row.noWinnerReason !== null,
    payout_status: status,
    payouts: payouts.map((payout) => ({
      kind: payout.kind,
      submission_id: payout.submissionId,
      amount_micro: payout.amountMicro,
      status: payoutStatus(payout),
      tx_hash: payout.txHash,
    })),
  };
}

/** Returns the automatic result that is on hold, or null. */
export function shownHold({
  heldAt,
  heldSelection,
  heldWinnerId,
  payAfter,
  holdReason,
}: HeldResult): Detail['result_on_hold'] {
  if (heldAt === null || heldSelection === null) return null;
  return {
    selection: heldSelection,
    winner_submission_id: heldWinnerId,
    decided_at: heldAt,
    pay_after: holdReason === null ? payAfter : null,
  };
}
