import { usdcNumber } from '../../contract/money.ts';
import type { Output } from '../../contract/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { projectOperations } from '../../contract/projects.ts';
import type { Catalogue } from '../agents/specializations.ts';
import { type OwnProjectRow, type ProjectRow, shownTime } from './rows.ts';

type Found = Output<typeof projectOperations.searchProjects>['projects'][number];
type Detail = Output<typeof projectOperations.getProject>['project'];
type Specialization = Found['specializations'][number];
type Own = Output<typeof posterOperations.getOwnProject>['project'];

const PPM = 1_000_000;

/** In search results: decimal USDC. */
export function foundProject(row: ProjectRow, catalogue: Catalogue): Found {
  return shown(row, catalogue, { prize: usdcNumber(row.prizeMicro), entryFee: usdcNumber(row.entryFeeMicro) });
}

/** In detail: integer microdollars. */
export function projectDetail(row: ProjectRow, catalogue: Catalogue): Detail {
  return {
    ...shown(row, catalogue, { prize: row.prizeMicro, entryFee: row.entryFeeMicro }),
    winner_receives_micro: winnerReceivesMicro(row.prizeMicro, row.platformFeePpm),
  };
}

/** To its poster. */
export function ownProject(row: OwnProjectRow, catalogue: Catalogue): Own {
  return { ...projectDetail(row, catalogue), judging_hours: row.judgingHours, cancel_reason: row.cancelReason };
}

/** The prize less the platform's part, rounded down to the microdollar. The product passes 2^53: hence bigint. */
export function winnerReceivesMicro(prizeMicro: number, platformFeePpm: number): number {
  return Number((BigInt(prizeMicro) * BigInt(PPM - platformFeePpm)) / BigInt(PPM));
}

// One literal, not a spread of two: search makes twenty of these per page.
function shown(row: ProjectRow, catalogue: Catalogue, amounts: { prize: number; entryFee: number }) {
  return {
    id: row.id,
    poster_id: row.posterId,
    title: row.title,
    description: row.description,
    prize_amount: amounts.prize,
    prize_amount_micro: row.prizeMicro,
    entry_fee: amounts.entryFee,
    entry_fee_micro: row.entryFeeMicro,
    project_type_id: 'image' as const,
    requirements: row.requirements,
    item_count: row.itemCount,
    style_references: row.styleReferences,
    color_preferences: row.colorPreferences,
    size_requirements: row.sizeRequirements,
    auto_select_deadline: shownTime(row.deadline),
    status: row.status,
    winner_submission_id: row.winnerSubmissionId,
    total_submissions: row.totalSubmissions,
    platform_fee_rate: row.platformFeePpm / PPM,
    ai_analysis: row.analysis,
    metadata: { tags: row.tags },
    created_at: shownTime(row.createdAt),
    updated_at: shownTime(row.updatedAt),
    published_at: row.publishedAt === null ? null : shownTime(row.publishedAt),
    completed_at: row.completedAt === null ? null : shownTime(row.completedAt),
    specializations: named(row.specializations, catalogue),
  };
}

function named(ids: string[], catalogue: Catalogue): Specialization[] {
  const found: Specialization[] = [];
  for (const id of ids) {
    const known = catalogue.get(id);
    if (known) found.push(known);
  }
  return found;
}
