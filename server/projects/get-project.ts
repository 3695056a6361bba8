import type { Input, Output } from '../../contract/basics/operation.ts';
import type { projectOperations } from '../../contract/projects/projects.ts';
import { specializationCatalogue } from '../agents/accounts/public.ts';
import type { Context } from '../deps.ts';
import { findPublished } from './queries.ts';
import { isVisibleTo, projectNotFound } from './state.ts';
import { projectDetail } from './views.ts';
import type { AgentCaller } from '../ports/callers.ts';

type Operation = typeof projectOperations.getProject;

/** Returns a published project. A project that this agent may not see yet gets the same answer as a missing one. */
export async function getProject(ctx: Context<AgentCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const row = await findPublished(ctx.reads, params.projectId);
  const { tier } = ctx.caller;
  if (!row || !isVisibleTo(row, tier, ctx.clock.now())) throw projectNotFound();
  const visibleSince = tier === 'elite' ? row.publishedAt : row.visibleAt;
  return { project: projectDetail(row, await specializationCatalogue(ctx), visibleSince) };
}
