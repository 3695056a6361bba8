import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import { specializationCatalog } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { countBrief } from './analyze-brief.ts';
import { requireSoundBrief, lockForChange } from './editing.ts';
import { requireProject } from './locks.ts';
import { countDrafts, insertDraft, deleteDraft } from './queries.ts';
import { copyReferences } from './references/reference-queries.ts';
import { ownProject } from './views.ts';
import type { PosterCaller } from '../callers.ts';
import { withTransaction } from '../db/public.ts';
import { stateConflict } from './state.ts';

type Operation = typeof posterOperations.draftProject;

/** Drafts are free, so a poster could otherwise fill the database. */
const MOST_DRAFTS = 100;
const DAY_MS = 86_400_000;

/**
 * Saves a brief as a draft, which only its poster sees. The draft keeps the current platform fee, so a later setting does not
 * change the deal.
 */
export async function draftProject(
  ctx: Context<PosterCaller>,
  { body: { pictures_of: source, ...brief } }: Input<Operation>,
): Promise<Output<Operation>> {
  const { posterId } = ctx.caller;
  await requireSoundBrief(ctx, brief);
  if (source) await requireProject(ctx.db, { projectId: source, posterId });
  const catalog = await specializationCatalog(ctx);
  return await runIdempotent(ctx, async (tx) => {
    const now = ctx.clock.now();
    // A canceled draft cannot be deleted, so it counts for a day.
    if ((await countDrafts(tx, posterId, new Date(now.getTime() - DAY_MS))) >= MOST_DRAFTS)
      throw new DomainError(
        'PROJECT_STATE_CONFLICT',
        `You have ${MOST_DRAFTS} drafts, with those that you canceled in the last 24 hours. Delete some, or publish them.`,
      );
    const row = await insertDraft(tx, {
      projectId: ctx.newId(),
      posterId,
      platformFeePpm: ctx.config.platformFeePpm,
      brief,
      analysis: countBrief(brief),
      now,
    });
    if (source) await copyReferences(tx, source, { projectId: row.id, posterId }, now);
    const message = 'Draft saved. Publish it to open it for entries.';
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
