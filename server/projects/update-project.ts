import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations, ProjectBrief } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { changesAnalysis } from './analyse-brief.ts';
import { lockForChange, requireSoundBrief } from './editing.ts';
import { showOwnProject } from './own-view.ts';
import { findOwn, moveDeadline, updateDraft } from './queries.ts';
import { briefOf, type OwnProjectRow } from './rows.ts';
import { deadlinePassed, projectNotFound, stateConflict } from './state.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

type Operation = typeof posterOperations.updateProject;
type Patch = Input<Operation>['body'];

const ATTEMPTS = 5;

/** Changes any field of a draft. An open project accepts only a later deadline. */
export async function updateProject(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  // The analysis runs before the transaction and uses the row read here. If the draft changed meanwhile, start over.
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const seen = await findOwn(ctx.db, own);
    if (!seen) throw projectNotFound();
    const changed = await change(ctx, seen, body);
    if (changed) return { message: 'Project updated.', project: await showOwnProject(ctx, changed) };
  }
  throw stateConflict('draft', 'it is being changed by other requests; try again');
}

/** Returns null if the project has changed since it was read. */
async function change(ctx: Context<PosterCaller>, seen: OwnProjectRow, patch: Patch): Promise<OwnProjectRow | null> {
  const own = { projectId: seen.id, posterId: seen.posterId };
  if (seen.status !== 'draft') {
    return await withTransaction(ctx.db, async (tx) => postpone(ctx, tx, await lockForChange(tx, own), patch));
  }
  const brief = { ...briefOf(seen), ...patch } as ProjectBrief;
  const given = patch as Partial<ProjectBrief>;
  await requireSoundBrief(ctx, given);
  const analysis = changesAnalysis(given) ? await ctx.analyst(brief, ctx.caller.posterId) : seen.analysis;
  return await withTransaction(ctx.db, async (tx) => {
    const row = await lockForChange(tx, own);
    if (row.status !== 'draft' || row.updatedAt > seen.updatedAt) return null;
    return await updateDraft(tx, row.id, { brief, analysis, now: ctx.clock.now() });
  });
}

async function postpone(ctx: Context<PosterCaller>, tx: Tx, row: OwnProjectRow, patch: Patch): Promise<OwnProjectRow> {
  if (row.status !== 'open') throw stateConflict(row.status, 'only a draft or an open project can be changed');
  const { auto_select_deadline: deadline, ...others } = patch;
  const fixed = Object.keys(others);
  if (fixed.length > 0 || !deadline) {
    throw new DomainError(
      'UPDATE_FORBIDDEN',
      `An open project takes only a later auto_select_deadline, not: ${fixed.join(', ')}.`,
      {
        details: fixed.map((field) => ({ field, message: 'fixed since the project opened' })),
      },
    );
  }
  const now = ctx.clock.now();
  if (row.deadline <= now) throw deadlinePassed();
  if (deadline <= row.deadline) {
    throw validationError([
      { field: 'auto_select_deadline', message: `must be later than ${row.deadline.toISOString()}` },
    ]);
  }
  return await moveDeadline(tx, row.id, { deadline, dueAt: deadline, now });
}
