import type { z } from 'zod';
import type { Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { projectDetail as detailSchema } from '../../contract/projects/projects.ts';
import type { Catalog } from '../agents/public.ts';
import { type PayoutOverview, payoutStatus } from '../payouts/public.ts';
import { expectedValueMicro, placesLeft, winnerReceivesMicro } from './places.ts';
import type { HeldResult, ProjectRow } from './rows.ts';
import { snakeCased } from '../snake-case.ts';

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
    ...snakeCased(row),
    prize_amount: row.prizeMicro,
    prize_amount_micro: row.prizeMicro,
    entry_fee: row.entryFeeMicro,
    winner_receives_micro: winnerReceivesMicro(row.prizeMicro, row.platformFeePpm),
    project_type_id: 'image',
    auto_select_deadline: row.deadline,
    latest_deadline: row.extendedAt === null ? row.latestDeadline : row.deadline,
    result_on_hold: shownHold(row),
    places_left: placesLeft(row),
    expected_value_micro: expectedValueMicro(row),
    platform_fee_rate: row.platformFeePpm / PPM,
    ai_analysis: row.analysis,
    metadata: { tags: row.tags },
    created_at: createdAt,
    // The plan of an open project is its poster's.
    no_winner_reason: row.status === 'cancelled' ? row.noWinnerReason : null,
    specializations: row.specializations.flatMap((id) => catalog.get(id) ?? []),
  };
}

/** Returns a project as its poster sees it. */
export function ownProject(row: ProjectRow, catalog: Catalog, { status, payouts }: PayoutOverview): Own {
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
