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
  const { rest } = row;
  const published = rest[8];
  const completed = rest[9];
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
    style_references: rest[1],
    color_preferences: rest[2],
    size_requirements: row.sizeRequirements,
    auto_select_deadline: shownTime(rest[5]),
    status: row.status,
    winner_submission_id: row.winnerSubmissionId,
    total_submissions: row.totalSubmissions,
    platform_fee_rate: row.platformFeePpm / PPM,
    ai_analysis: rest[4],
    metadata: { tags: rest[3] },
    created_at: shownTime(rest[6]),
    updated_at: shownTime(rest[7]),
    published_at: published === null ? null : shownTime(published),
    completed_at: completed === null ? null : shownTime(completed),
    specializations: named(rest[0], catalogue),
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
