import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { specializationCatalogue } from '../../agents/accounts/public.ts';
import type { Context, Deps } from '../../deps.ts';
import { paidTotalMicro } from '../../payouts/public.ts';
import { posterNames } from '../../posters/public.ts';
import { expectedValueMicro, placesLeft, shownHold } from '../../projects/public.ts';
import { recordOf, requirePublicProject, winnerReceivesMicro } from './public-market.ts';
import { winningEntries } from './winning-entries.ts';
import type { PublicCaller } from '../../ports/callers.ts';

type Operation = typeof marketOperations.getPublicProject;
type Project = Output<Operation>['project'];

const PPM = 1_000_000;

/** Returns the public part of a project and its poster's record. */
export async function getPublicProject(
  ctx: Context<PublicCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const row = await requirePublicProject(ctx.views, params.project_id, ctx.clock.now());
  const winnerId = row.winnerSubmissionId;
  const [catalogue, poster, winners] = await Promise.all([
    specializationCatalogue({ db: ctx.views, clock: ctx.clock }),
    posterRecord(ctx, row.posterId),
    winningEntries(ctx, [{ status: row.status, winnerId }]),
  ]);
  return {
    project: {
      id: row.id,
      title: row.title,
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
      specializations: row.specializations.flatMap((id) => catalogue.get(id) ?? []),
      color_preferences: row.colorPreferences,
      description: row.description,
      requirements: row.requirements,
      item_count: row.itemCount,
      style_references: row.styleReferences,
      size_requirements: row.sizeRequirements,
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
      ai_judge: ctx.ai !== null,
      poster,
      winner: winnerId === null ? null : (winners.get(winnerId) ?? null),
    },
  };
}

async function posterRecord(
  { views, clock }: Pick<Deps, 'views' | 'clock'>,
  posterId: string,
): Promise<Project['poster']> {
  const [figures, names] = await Promise.all([recordOf(views, posterId, clock.now()), posterNames(views, [posterId])]);
  const known = names.get(posterId);
  return {
    id: posterId,
    name: known?.name ?? '',
    since: known?.createdAt ?? clock.now(),
    projects: figures.projects,
    completed: figures.completed,
    cancelled: figures.cancelled,
    paid_out_micro: await paidTotalMicro(views, figures.awarded),
    median_choice_seconds: figures.medianChoiceSeconds,
  };
}
