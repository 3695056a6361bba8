import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { holdResult, type ProjectForJudging, type Mover, moveHold, stateConflict } from '../../projects/public.ts';
import { agreedRules } from '../../projects/terms/public.ts';
import { entriesOf, type EntryRow } from '../../entries/public.ts';
import {
  award,
  endWithoutEntry,
  isEligible,
  refundConfirmedFees,
  selectByScores,
  settleSilence,
} from '../ends/public.ts';
import { hasOpenObjection, lapseObjections } from './objection-queries.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

type HoldDeps = Pick<Deps, 'newId' | 'config'>;
type Held = Mover & { project: ProjectForJudging };

/** A result that nobody chose: the AI judge's winner, or silence. */
type Result = { selection: 'ai' | 'silence'; winnerId: string | null };

/**
 * Decides a project without a choice or score of its poster. The result is paid after a hold, in which entrants can
 * object and the operator can disqualify entries. Until then nothing is awarded, and the project stays in judging. After
 * silence, the entry fees go back at once. The caller holds the project's lock.
 */
export async function decideAutomatically(
  deps: HoldDeps,
  tx: Tx,
  { project, entries, actor, at }: Held & { entries: EntryRow[] },
): Promise<void> {
  const { holdSeconds } = await agreedRules(tx, deps.config, project);
  if (holdSeconds === 0) return await pay(deps, tx, { project, entries, actor, at });
  await hold(deps, tx, { project, result: resultOf(entries), actor, at });
}

/** Decides a result on hold again, after an entry was disqualified. A new result gets a new hold. */
export async function decideAgain(deps: HoldDeps, tx: Tx, { project, actor, at }: Held): Promise<void> {
  const result = resultOf(await entriesOf(tx, project.id));
  if (result.selection === project.heldSelection && result.winnerId === project.heldWinnerId) return;
  await hold(deps, tx, { project, result, actor, at });
}

/** Pays a result on hold as it is now, and ends the open objections to it. */
export async function payHeld(deps: HoldDeps, tx: Tx, { project, actor, at }: Held): Promise<void> {
  await lapseObjections(tx, project.id, at);
  const entries = await entriesOf(tx, project.id);
  if (entries.some(isEligible)) return await pay(deps, tx, { project, entries, actor, at });
  await endWithoutEntry(deps, tx, { project, actor, reason: 'No eligible entry was left.', at });
}

/** Sets the end of a hold again, after an objection was made or decided, or the operator held the payout. */
export async function updateHoldEnd(
  deps: HoldDeps,
  tx: Tx,
  { project, reason, at }: { project: ProjectForJudging; reason: string | null; at: Date },
): Promise<void> {
  const until = reason === null ? await holdEnd(deps, tx, project) : null;
  await moveHold(tx, project.id, { until, reason, at });
}

/** Checks that the project has a result on hold. @throws DomainError PROJECT_STATE_CONFLICT */
export function requireHeld({ heldAt, status }: ProjectForJudging): void {
  if (heldAt === null) throw stateConflict(status, 'it has no result on hold');
}

function resultOf(entries: EntryRow[]): Result {
  const selected = selectByScores(entries);
  return selected ? { selection: 'ai', winnerId: selected.winner.id } : { selection: 'silence', winnerId: null };
}

async function pay(
  deps: HoldDeps,
  tx: Tx,
  { project, entries, actor, at }: Held & { entries: EntryRow[] },
): Promise<void> {
  const { winnerId } = resultOf(entries);
  if (winnerId === null) return await settleSilence(deps, tx, { project, entries, actor, at });
  await award(deps, tx, { project, decision: { selection: 'ai', winnerId }, entries, actor, at });
}

async function hold(deps: HoldDeps, tx: Tx, { project, result, actor, at }: Held & { result: Result }): Promise<void> {
  const projectId = project.id;
  const { holdSeconds } = await agreedRules(tx, deps.config, project);
  const endsAt = new Date(at.getTime() + holdSeconds * 1000);
  const until = project.holdReason === null ? await holdEnd(deps, tx, { ...project, holdEndsAt: endsAt }) : null;
  await holdResult(tx, projectId, { ...result, at, endsAt, until });
  if (result.selection === 'silence') await refundConfirmedFees(deps, tx, { projectId, at });
  await recordAudit(deps, tx, {
    at,
    actor,
    action: 'project.hold_result',
    subject: `project:${projectId}`,
    details: { selection: result.selection, winner_submission_id: result.winnerId, ends_at: endsAt.toISOString() },
  });
}

/**
 * Returns when the hold ends. All open objections together extend it by a bounded time, so that entrants who
 * object one after the other cannot hold a payout for months.
 */
async function holdEnd(
  { config }: HoldDeps,
  db: Queryable,
  project: Pick<ProjectForJudging, 'id' | 'entryFeeMicro' | 'holdEndsAt'>,
): Promise<Date | null> {
  const { id, holdEndsAt } = project;
  if (holdEndsAt === null || !(await hasOpenObjection(db, id))) return holdEndsAt;
  const { objectionSeconds } = await agreedRules(db, config, project);
  return new Date(holdEndsAt.getTime() + objectionSeconds * 1000);
}
