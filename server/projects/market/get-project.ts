import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { projectOperations } from '../../../contract/projects/projects.ts';
import { specializationCatalog } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import { findShown } from '../queries.ts';
import { isVisibleTo, projectNotFound } from '../state.ts';
import { projectDetail } from '../views.ts';
import { shownReferences } from '../references/shown-references.ts';
import { allowsAiJudge } from '../terms/market-rules.ts';
import { readTerms } from '../terms/project-terms.ts';
import { posterRecord } from './poster-record.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof projectOperations.getProject;

/**
 * Returns a published project with its terms and its poster's record. A project that this agent may not see yet gets the
 * same answer as a missing one.
 */
export async function getProject(ctx: Context<AgentCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const row = await findShown(ctx.reads, params.projectId);
  const { tier } = ctx.caller;
  if (!row || !isVisibleTo(row, tier, ctx.clock.now())) throw projectNotFound();
  const visibleSince = tier === 'elite' ? row.publishedAt : row.visibleAt;
  const [catalog, poster] = await Promise.all([specializationCatalog(ctx), posterRecord(ctx, row.posterId)]);
  const terms = readTerms(row.currentTerms);
  return {
    project: {
      ...projectDetail(row, catalog, visibleSince),
      ai_judge: allowsAiJudge(terms),
      reference_pictures: shownReferences(ctx, row.referencePictures),
      poster,
      terms,
    },
  };
}
