import { isDeepStrictEqual } from 'node:util';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import { BRIEF_TEXTS, type BriefTexts, type ProjectBrief } from '../../contract/projects/brief.ts';
import type { Context, Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { recordEvents } from '../events/public.ts';
import { countBrief } from './analyze-brief.ts';
import { correctAnnouncement } from './announce-project.ts';
import { lockForChange, requireSoundBrief } from './editing.ts';
import { showOwnProject } from './own-view.ts';
import { requireProject } from './locks.ts';
import { marketEvents } from './project-events.ts';
import { setProject, updateDraft } from './queries.ts';
import { briefOf, type ProjectRow } from './rows.ts';
import { deadlinePassed, stateConflict, tooLate } from './state.ts';
import { agreedRules } from './terms/market-rules.ts';
import { reviseTerms } from './terms/freeze-terms.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof posterOperations.updateProject;
type Patch = Input<Operation>['body'];

const ATTEMPTS = 5;
/** Each moved deadline is an event for every agent, and each version of the terms is kept. */
const MOST_CHANGES = 20;

/** What this domain asks about the entries of a project, whose lock the caller holds. */
export type Entered = {
  /** Whether somebody has paid to enter the project, is paying, or has a confirmed entry. */
  isEntered: (tx: Tx, projectId: string, at: Date) => Promise<boolean>;
  /** Whether an agent has an intent or an entry. A deleted intent does not count: nobody relies on it. */
  hasIntent: (tx: Tx, projectId: string) => Promise<boolean>;
};

/**
 * Changes any field of a draft. An open project accepts other texts until the first intent, more places, and a later
 * deadline: at most the latest deadline, and after somebody has entered once, by at most 24 hours. Those that it has already
 * change nothing, because the first answer may have been lost.
 */
export async function changeProject(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
  entered: Entered,
): Promise<Output<Operation>> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  // The analysis runs before the transaction and uses the row read here. If the draft changed meanwhile, start over.
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const seen = await requireProject(ctx.db, own);
    const changed = await changeSeen(ctx, seen, body, entered);
    if (changed) return { message: 'Project updated.', project: await showOwnProject(ctx, changed) };
  }
  throw stateConflict('draft', 'it is being changed by other requests; try again');
}

/** Returns null if the project has changed since it was read. */
async function changeSeen(
  ctx: Context<PosterCaller>,
  seen: ProjectRow,
  patch: Patch,
  entered: Entered,
): Promise<ProjectRow | null> {
  const own = { projectId: seen.id, posterId: seen.posterId };
  if (seen.status !== 'draft') {
    return await withTransaction(ctx.db, async (tx) => {
      const row = await lockForChange(tx, own);
      const { deadline, maxEntries, texts } = changeOf(row, patch);
      const now = ctx.clock.now();
      const changed = texts ? await changeTexts(tx, row, { texts, now, entered }) : row;
      const moved = deadline ? await postpone(ctx, tx, changed, { deadline, now, entered }) : changed;
      const updated = maxEntries === undefined ? moved : await addPlaces(tx, moved, { maxEntries, now });
      if (updated !== row) await correctAnnouncement(tx, row.id);
      return updated;
    });
  }
  const brief = { ...briefOf(seen), ...patch } as ProjectBrief;
  const given = patch as Partial<ProjectBrief>;
  await requireSoundBrief(ctx, given, brief);
  return await withTransaction(ctx.db, async (tx) => {
    const row = await lockForChange(tx, own);
    if (row.status !== 'draft' || row.updatedAt > seen.updatedAt) return null;
    return await updateDraft(tx, row.id, { brief, analysis: countBrief(brief), now: ctx.clock.now() });
  });
}

const TEXTS: readonly string[] = [...BRIEF_TEXTS, 'tags'];
type Texts = Partial<BriefTexts & Pick<ProjectBrief, 'tags'>>;

type OpenChange = { deadline?: Date | undefined; maxEntries?: Places | undefined; texts: Texts | null };

/**
 * Makes the next version of the terms.
 *
 * @throws DomainError PROJECT_STATE_CONFLICT when they have changed too often
 */
async function revise(tx: Tx, row: ProjectRow, change: Parameters<typeof reviseTerms>[2]): Promise<void> {
  if (row.termsVersion !== null && row.termsVersion > MOST_CHANGES)
    throw stateConflict(row.status, `its terms have changed ${MOST_CHANGES} times, and can only end early now`);
  await reviseTerms(tx, row.id, change);
}

function changeOf(row: ProjectRow, patch: Patch): OpenChange {
  if (row.status !== 'open') throw stateConflict(row.status, 'only a draft or an open project can be changed');
  const { auto_select_deadline: deadline, max_entries: maxEntries, ...others } = patch;
  const fixed = Object.keys(others).filter((field) => !TEXTS.includes(field));
  if (fixed.length > 0) throw fixedSinceOpen(fixed);
  const isMoved = deadline?.getTime() !== row.deadline.getTime();
  const brief = briefOf(row);
  const isSame = isDeepStrictEqual({ ...brief, ...others }, brief);
  return { deadline: isMoved ? deadline : undefined, maxEntries, texts: isSame ? null : (others as Texts) };
}

function fixedSinceOpen(fields: string[]): DomainError {
  return new DomainError(
    'UPDATE_FORBIDDEN',
    `An open project takes a later auto_select_deadline, more max_entries and, until the first intent, other texts, not: ${fields.join(', ')}.`,
    { details: fields.map((field) => ({ field, message: 'fixed since the project opened' })) },
  );
}

/**
 * Replaces texts of an open project, which makes the next version of the terms. The first intent fixes them: its agent works
 * by these texts. The lock on the project excludes an intent between this check and the change.
 */
async function changeTexts(
  tx: Tx,
  row: ProjectRow,
  { texts, now, entered }: { texts: Texts; now: Date; entered: Entered },
): Promise<ProjectRow> {
  if (row.closesAt) throw stateConflict(row.status, `it closes at ${row.closesAt.toISOString()}`);
  if (row.deadline <= now) throw deadlinePassed();
  if (await entered.hasIntent(tx, row.id)) throw fixedSinceOpen(Object.keys(texts));
  const brief = { ...briefOf(row), ...texts };
  await revise(tx, row, { reason: 'texts_changed', at: now, brief });
  return await updateDraft(tx, row.id, { brief, analysis: countBrief(brief), now });
}

/** Null: any number of entries. */
type Places = number | null;

/**
 * Adds places, which makes the next version of the terms. So a poster can let honest agents in where others have bought every
 * place.
 */
async function addPlaces(
  tx: Tx,
  row: ProjectRow,
  { maxEntries, now }: { maxEntries: Places; now: Date },
): Promise<ProjectRow> {
  if (row.maxEntries === maxEntries) return row;
  if (row.closesAt) throw stateConflict(row.status, `it closes at ${row.closesAt.toISOString()}`);
  if (row.deadline <= now) throw deadlinePassed();
  if (row.maxEntries === null || (maxEntries !== null && maxEntries < row.maxEntries))
    throw validationError([
      {
        field: 'max_entries',
        message: `can only rise; this project takes ${row.maxEntries ?? 'any number of'} entries`,
      },
    ]);
  await revise(tx, row, { reason: 'places_raised', at: now, maxEntries });
  return await setProject(tx, row.id, { max_entries: maxEntries, updated_at: now });
}

type Move = { deadline: Date; now: Date; entered: Entered };

/** Moves the deadline, which makes the next version of the terms. */
async function postpone(deps: Pick<Deps, 'newId'>, tx: Tx, row: ProjectRow, move: Move): Promise<ProjectRow> {
  const { deadline, now } = move;
  const extendedAt = await requireMovable(tx, row, move);
  await revise(tx, row, { reason: 'deadline_moved', at: now, deadline });
  const data = {
    project_id: row.id,
    auto_select_deadline: deadline.toISOString(),
    previous_deadline: row.deadline.toISOString(),
  };
  await recordEvents(deps, tx, now, marketEvents(row, { type: 'PROJECT.DEADLINE_MOVED', data }));
  return await setProject(tx, row.id, {
    auto_select_deadline: deadline,
    due_at: deadline,
    extended_at: extendedAt,
    updated_at: now,
  });
}

/** Checks that the deadline may move. Returns when the one extension after the first entry was used, by this move or before. */
async function requireMovable(tx: Tx, row: ProjectRow, { deadline, now, entered }: Move): Promise<Date | null> {
  if (row.closesAt) throw stateConflict(row.status, `it closes at ${row.closesAt.toISOString()}`);
  if (row.deadline <= now) throw deadlinePassed();
  if (deadline <= row.deadline) throw wrongDeadline(`must be later than ${row.deadline.toISOString()}`);
  const late = row.latestDeadline && tooLate(deadline, row.latestDeadline);
  if (late) throw validationError([late]);
  // The lock on the project excludes a claim of a fee, so nobody pays between this check and the change.
  if (!(await entered.isEntered(tx, row.id, now))) return row.extendedAt;
  if (row.extendedAt !== null)
    throw stateConflict(row.status, 'its deadline was extended once after an agent had entered, and cannot move again');
  const { extensionSeconds } = await agreedRules(tx, row.id);
  const most = new Date(row.deadline.getTime() + extensionSeconds * 1000);
  if (deadline > most)
    throw wrongDeadline(
      `an agent has entered, so it must not be later than ${most.toISOString()}, ${extensionSeconds / 3600} hours after the current deadline`,
    );
  return now;
}

function wrongDeadline(message: string): DomainError {
  return validationError([{ field: 'auto_select_deadline', message }]);
}
