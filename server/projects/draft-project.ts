import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { ProjectBrief } from '../../contract/projects/brief.ts';
import { specializationCatalog } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { countBrief } from './analyze-brief.ts';
import { requireSoundBrief, lockForChange } from './editing.ts';
import { insertDraft, deleteDraft } from './queries.ts';
import { ownProject } from './views.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';
import { withTransaction } from '../db/public.ts';
import { stateConflict } from './state.ts';

type Operation = typeof posterOperations.draftProject;

/** Saves a brief as a draft, which only its poster sees. */
export async function draftProject(ctx: Context<PosterCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  return await saveDraft(ctx, body, { message: 'Draft saved. Publish it to open it for entries.' });
}

type Saving = { message: string; further?: (tx: Tx, projectId: string) => Promise<void> };

/**
 * Checks a brief, and saves it as a new draft. The draft keeps the current platform fee, so a later setting does not change the
 * deal. `further` runs in the transaction that saves.
 */
export async function saveDraft(
  ctx: Context<PosterCaller>,
  brief: ProjectBrief,
  { message, further }: Saving,
): Promise<Output<Operation>> {
  await requireSoundBrief(ctx, brief);
  const catalog = await specializationCatalog(ctx);
  return await runIdempotent(ctx, async (tx) => {
    const row = await insertDraft(tx, {
      projectId: ctx.newId(),
      posterId: ctx.caller.posterId,
      platformFeePpm: ctx.config.platformFeePpm,
      brief,
      analysis: countBrief(brief),
      now: ctx.clock.now(),
    });
    await further?.(tx, row.id);
    // A new draft has no payouts.
    return { message, project: ownProject(row, catalog, { status: null, payouts: [] }) };
  });
}

/** Deletes a draft. Published projects and canceled drafts stay on record. */
export async function deleteProject(
  ctx: Context<PosterCaller>,
  { params }: Input<typeof posterOperations.deleteProject>,
): Promise<Output<typeof posterOperations.deleteProject>> {
  await withTransaction(ctx.db, async (tx) => {
    const row = await lockForChange(tx, { projectId: params.project_id, posterId: ctx.caller.posterId });
    if (row.status !== 'draft') throw stateConflict(row.status, 'only a draft can be deleted');
    await deleteDraft(tx, row.id);
  });
  return { message: 'Draft deleted.', projectId: params.project_id };
}
