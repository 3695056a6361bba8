import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { specializationCatalog } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import { projectDetail } from '../views.ts';
import { shownReferences } from '../references/shown-references.ts';
import { allowsAiJudge } from '../terms/market-rules.ts';
import { readTerms } from '../terms/project-terms.ts';
import { posterRecord } from './poster-record.ts';
import { findShown } from '../queries.ts';
import { isVisibleTo, projectNotFound } from '../state.ts';
import { winningEntries } from './winning-entries.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof marketOperations.getPublicProject;
type Project = Output<Operation>['project'];

/** Returns the public part of a project and its poster's record. */
export async function getPublicProject(
  ctx: Context<PublicCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const row = await findShown(ctx.reads, params.project_id);
  if (!row || !isVisibleTo(row, 'starter', ctx.clock.now())) throw projectNotFound();
  const winnerId = row.winnerSubmissionId;
  const [catalog, poster, winners] = await Promise.all([
    specializationCatalog({ db: ctx.reads, clock: ctx.clock }),
    posterRecord(ctx, row.posterId),
    winningEntries(ctx, [{ status: row.status, winnerId }]),
  ]);
  return {
    project: {
      ...projectDetail(row, catalog, row.publishedAt),
      // The query finds no drafts.
      status: row.status as Project['status'],
      published_at: row.publishedAt,
      tags: row.tags,
      ai_judge: allowsAiJudge(readTerms(row.currentTerms)),
      reference_pictures: shownReferences(ctx, row.referencePictures),
      poster,
      winner: winnerId === null ? null : (winners.get(winnerId) ?? null),
    },
  };
}
