import type { Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { projectOperations } from '../../contract/projects/projects.ts';
import type { Catalogue } from '../agents/accounts/public.ts';
import { type PayoutOverview, payoutStatus } from '../payouts/public.ts';
import type { OwnProjectRow, ProjectRow } from './rows.ts';

type Detail = Output<typeof projectOperations.getProject>['project'];
type Own = Output<typeof posterOperations.getOwnProject>['project'];

const PPM = 1_000_000;

/**
 * Returns a project as agents see it, with amounts in integer microdollars. In search results, the trigger project_card
 * writes the project, with amounts in USDC.
 */
export function projectDetail(row: ProjectRow, catalogue: Catalogue): Detail {
  return {
    id: row.id,
    poster_id: row.posterId,
    title: row.title,
    description: row.description,
    prize_amount: row.prizeMicro,
    prize_amount_micro: row.prizeMicro,
    entry_fee: row.entryFeeMicro,
    entry_fee_micro: row.entryFeeMicro,
    winner_receives_micro: winnerReceivesMicro(row.prizeMicro, row.platformFeePpm),
    project_type_id: 'image',
    requirements: row.requirements,
    item_count: row.itemCount,
    style_references: row.styleReferences,
    color_preferences: row.colorPreferences,
    size_requirements: row.sizeRequirements,
    auto_select_deadline: row.deadline,
    status: row.status,
    winner_submission_id: row.winnerSubmissionId,
    total_submissions: row.totalSubmissions,
    platform_fee_rate: row.platformFeePpm / PPM,
    ai_analysis: row.analysis,
    metadata: { tags: row.tags },
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    published_at: row.publishedAt,
    completed_at: row.completedAt,
    cancel_reason: row.cancelReason,
    cancelled_at: row.cancelledAt,
    cancelled_by: row.cancelledBy,
    specializations: row.specializations.flatMap((id) => catalogue.get(id) ?? []),
  };
}

/** Returns a project as its poster sees it. */
export function ownProject(row: OwnProjectRow, catalogue: Catalogue, { status, payouts }: PayoutOverview): Own {
  return {
    ...projectDetail(row, catalogue),
    judging_hours: row.judgingHours,
    closed_at: row.closedAt,
    judging_ends_at: row.judgingEndsAt,
    selection: row.selection,
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

/** Returns the prize less the platform's fee, rounded down. Uses bigint, because the product can exceed 2^53. */
export function winnerReceivesMicro(prizeMicro: number, platformFeePpm: number): number {
  return Number((BigInt(prizeMicro) * BigInt(PPM - platformFeePpm)) / BigInt(PPM));
}
