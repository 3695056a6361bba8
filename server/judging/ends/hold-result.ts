import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { holdResult, type ProjectRow, type Mover, stateConflict, agreedRules } from '../../projects/public.ts';
import { entriesOf, type EntryRow } from '../../entries/public.ts';
import { award } from './award.ts';
import { endWithoutEntry } from './end-without-winner.ts';
import { refundFees } from './refund-fees.ts';
import { isEligible, selectByScores } from './selection.ts';
import { settleSilence } from './settle-silence.ts';
import type { Tx } from '../../db/database.ts';

type HoldDeps = Pick<Deps, 'newId' | 'config'>;
type Held = Mover & { project: ProjectRow };

/** A result that nobody chose: the AI judge's winner, or silence. */
type Result = { selection: 'ai' | 'silence'; winnerId: string | null };

/**
 * Decides a project without a choice or score of its poster. The result is paid after a wait, in which the operator can
 * disqualify entries, hold the payout, or release it. Until then nothing is awarded, and the project stays in judging.
 * After silence, the entry fees go back at once. The caller holds the project's lock.
 */
export async function decideAutomatically(
  deps: HoldDeps,
  tx: Tx,
  { project, entries, actor, at }: Held & { entries: EntryRow[] },
): Promise<void> {
  const { holdSeconds } = await agreedRules(tx, project.id);
  if (holdSeconds === 0) return await pay(deps, tx, { project, entries, actor, at });
  await hold(deps, tx, { project, result: resultOf(entries), holdSeconds, actor, at });
}

/** Decides a result on hold again, after an entry was disqualified. A new result waits as long again. */
export async function decideAgain(deps: HoldDeps, tx: Tx, { project, actor, at }: Held): Promise<void> {
  const result = resultOf(await entriesOf(tx, project.id));
  if (result.selection === project.heldSelection && result.winnerId === project.heldWinnerId) return;
  const { holdSeconds } = await agreedRules(tx, project.id);
  await hold(deps, tx, { project, result, holdSeconds, actor, at });
}

/** Pays a result on hold as it is now. */
export async function payHeld(deps: HoldDeps, tx: Tx, { project, actor, at }: Held): Promise<void> {
  const entries = await entriesOf(tx, project.id);
  if (entries.some(isEligible)) return await pay(deps, tx, { project, entries, actor, at });
  await endWithoutEntry(deps, tx, { project, actor, reason: 'No eligible entry was left.', at });
}

/** Checks that the project has a result on hold. @throws DomainError PROJECT_STATE_CONFLICT */
export function requireHeld({ heldAt, status }: ProjectRow): void {
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

async function hold(
  deps: HoldDeps,
  tx: Tx,
  { project, result, holdSeconds, actor, at }: Held & { result: Result; holdSeconds: number },
): Promise<void> {
  const projectId = project.id;
  const payAfter = new Date(at.getTime() + holdSeconds * 1000);
  await holdResult(tx, project, { ...result, at, payAfter });
  if (result.selection === 'silence') await refundFees(deps, tx, 'confirmed', { projectId, at });
  await recordAudit(deps, tx, {
    at,
    actor,
    action: 'project.hold_result',
    subject: `project:${projectId}`,
    details: { selection: result.selection, winner_submission_id: result.winnerId, pay_after: payAfter.toISOString() },
  });
}
