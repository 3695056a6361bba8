import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import { specializationCatalog } from '../agents/accounts/public.ts';
import type { Context } from '../deps.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { requireSoundBrief } from './editing.ts';
import { insertDraft } from './queries.ts';
import { ownProject } from './views.ts';
import type { PosterCaller } from '../ports/callers.ts';

type Operation = typeof posterOperations.draftProject;

/**
 * Saves a brief as a draft, which only its poster sees. The draft keeps the current platform fee, so a later setting
 * does not change the deal.
 */
export async function draftProject(ctx: Context<PosterCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  await requireSoundBrief(ctx, body);
  const analysis = await ctx.analyst(body, ctx.caller.posterId);
  const catalog = await specializationCatalog(ctx);
  return await runIdempotent(ctx, async (tx) => {
    const row = await insertDraft(tx, {
      projectId: ctx.newId(),
      posterId: ctx.caller.posterId,
      platformFeePpm: ctx.config.platformFeePpm,
      brief: body,
      analysis,
      now: ctx.clock.now(),
    });
    // A new draft has no payouts.
    const project = ownProject(row, catalog, { status: null, payouts: [] });
    return { message: 'Draft saved. Publish it to open it for entries.', project };
  });
}
