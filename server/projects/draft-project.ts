import type { Input, Output } from '../../contract/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context, PosterCaller } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import { requireSoundBrief } from './editing.ts';
import { showOwnProject } from './own-view.ts';
import { insertDraft } from './queries.ts';

type Operation = typeof posterOperations.draftProject;

/** A brief that only its poster sees. The platform's fee is fixed here, so that a later setting does not change a deal. */
export async function draftProject(ctx: Context<PosterCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  await requireSoundBrief(ctx, body);
  const analysis = await ctx.analyst(body, ctx.caller.posterId);
  const row = await withTransaction(ctx.db, (tx) =>
    insertDraft(tx, {
      projectId: ctx.newId(),
      posterId: ctx.caller.posterId,
      platformFeePpm: ctx.config.platformFeePpm,
      brief: body,
      analysis,
      now: ctx.clock.now(),
    }),
  );
  return {
    message: 'Draft saved. Publish it to open it for entries.',
    project: await showOwnProject(ctx, row),
  };
}
