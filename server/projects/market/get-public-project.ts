import { textsOf } from '../../../contract/projects/brief.ts';
import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { specializationCatalog } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import { expectedValueMicro, placesLeft, winnerReceivesMicro } from '../places.ts';
import { shownHold } from '../views.ts';
import { shownReferences } from '../references/shown-references.ts';
import { allowsAiJudge } from '../terms/market-rules.ts';
import { readTerms } from '../terms/project-terms.ts';
import { posterRecord } from './poster-record.ts';
import { findPublicProject } from './public-queries.ts';
import { projectNotFound } from '../state.ts';
import { winningEntries } from './winning-entries.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof marketOperations.getPublicProject;
type Project = Output<Operation>['project'];

const PPM = 1_000_000;

/** Returns the public part of a project and its poster's record. */
export async function getPublicProject(
  ctx: Context<PublicCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const row = await findPublicProject(ctx.reads, params.project_id, ctx.clock.now());
  if (!row) throw projectNotFound();
  const winnerId = row.winnerSubmissionId;
  const [catalog, poster, winners] = await Promise.all([
    specializationCatalog({ db: ctx.reads, clock: ctx.clock }),
    posterRecord(ctx, row.posterId),
    winningEntries(ctx, [{ status: row.status, winnerId }]),
  ]);
  return {
    project: {
      id: row.id,
      ...textsOf(row),
      // The query finds no drafts.
      status: row.status as Project['status'],
      prize_amount_micro: row.prizeMicro,
      entry_fee_micro: row.entryFeeMicro,
      winner_receives_micro: winnerReceivesMicro(row.prizeMicro, row.platformFeePpm),
      total_submissions: row.totalSubmissions,
      max_entries: row.maxEntries,
      places_left: placesLeft(row),
      expected_value_micro: expectedValueMicro(row),
      auto_select_deadline: row.deadline,
      published_at: row.publishedAt,
      completed_at: row.completedAt,
      specializations: row.specializations.flatMap((id) => catalog.get(id) ?? []),
      item_count: row.itemCount,
      tags: row.tags,
      platform_fee_rate: row.platformFeePpm / PPM,
      judging_hours: row.judgingHours,
      closed_at: row.closedAt,
      judging_ends_at: row.judgingEndsAt,
      awarded_at: row.awardedAt,
      selection: row.selection,
      latest_deadline: row.latestDeadline,
      closes_at: row.closesAt,
      result_on_hold: shownHold(row),
      cancel_reason: row.cancelReason,
      cancelled_at: row.cancelledAt,
      cancelled_by: row.cancelledBy,
      no_winner_reason: row.status === 'cancelled' ? row.noWinnerReason : null,
      licence: row.licence,
      gallery: row.gallery,
      terms_version: row.termsVersion,
      terms_hash: row.termsHash,
      ai_judge: allowsAiJudge(readTerms(row.currentTerms)),
      reference_pictures: shownReferences(ctx, row.referencePictures),
      poster,
      winner: winnerId === null ? null : (winners.get(winnerId) ?? null),
    },
  };
}
