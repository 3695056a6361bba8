import { usdcNumber } from '../../contract/money.ts';
import type { Output } from '../../contract/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { projectOperations } from '../../contract/projects.ts';
import type { Catalogue } from '../agents/specializations.ts';
import type { OwnProjectRow, ProjectRow } from './rows.ts';

type Found = Output<typeof projectOperations.searchProjects>['projects'][number];
type Detail = Output<typeof projectOperations.getProject>['project'];
type Own = Output<typeof posterOperations.getOwnProject>['project'];

const PPM = 1_000_000;

/** In search results: decimal USDC. */
export function foundProject(row: ProjectRow, catalogue: Catalogue): Found {
  return {
    ...shown(row, catalogue),
    prize_amount: usdcNumber(row.prizeMicro),
    entry_fee: usdcNumber(row.entryFeeMicro),
  };
}

/** In detail: integer microdollars. */
export function projectDetail(row: ProjectRow, catalogue: Catalogue): Detail {
  return {
    ...shown(row, catalogue),
    prize_amount: row.prizeMicro,
    entry_fee: row.entryFeeMicro,
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

function shown(row: ProjectRow, catalogue: Catalogue) {
  const [
    specializations,
    styleReferences,
    colorPreferences,
    tags,
    analysis,
    deadline,
    created,
    updated,
    published,
    completed,
  ] = row.rest;
  return {
    id: row.id,
    poster_id: row.posterId,
    title: row.title,
    description: row.description,
    prize_amount_micro: row.prizeMicro,
    entry_fee_micro: row.entryFeeMicro,
    project_type_id: 'image' as const,
    requirements: row.requirements,
    item_count: row.itemCount,
    style_references: styleReferences,
    color_preferences: colorPreferences,
    size_requirements: row.sizeRequirements,
    auto_select_deadline: new Date(deadline),
    status: row.status,
    winner_submission_id: row.winnerSubmissionId,
    total_submissions: row.totalSubmissions,
    platform_fee_rate: row.platformFeePpm / PPM,
    ai_analysis: analysis,
    metadata: { tags },
    created_at: new Date(created),
    updated_at: new Date(updated),
    published_at: published === null ? null : new Date(published),
    completed_at: completed === null ? null : new Date(completed),
    specializations: specializations.flatMap((id) => catalogue.get(id) ?? []),
  };
}
