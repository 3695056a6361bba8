import { DomainError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { whyStopped } from '../ledger/public.ts';
import {
  type DueProject,
  lockNextDueProject,
  scheduleNextCheck,
  postponeProject,
  agreedRules,
} from '../projects/public.ts';
import { entriesOf, hasConfirmedEntry, recordOutage } from '../entries/public.ts';
import { startAiJudging } from './ai/ai-queries.ts';
import { award } from './ends/award.ts';
import { cancelWithRefunds } from './ends/cancel-with-refunds.ts';
import { complete } from './ends/complete.ts';
import { decideAutomatically, payHeld } from './ends/hold-result.ts';
import { endWithoutEntry } from './ends/end-without-winner.ts';
import { isEligible, selectByScores } from './ends/selection.ts';
import { isLost } from '../payments/public.ts';
import { hasRefusedPrize } from '../payouts/public.ts';
import { endEntries, isOutage } from './end-entries.ts';
import type { Tx } from '../db/database.ts';

// How many projects one process advances at the same time. The work mostly waits for the database's disk, and most of
// the connection pool must stay free for requests.
const CONCURRENCY = 4;
// A project that cannot be advanced waits as long as it is late already: between 1 s and 10 minutes. The retries become
// rarer by themselves.
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 10 * 60_000;
/** How often a project is checked while the AI judge scores its entries. The judge brings the check forward when it is done. */
const AI_CHECK_INTERVAL_MS = 30_000;

const ACTOR = 'timer';

export type AdvanceDeps = Pick<Deps, 'db' | 'clock' | 'comparison' | 'config' | 'newId' | 'log'> & { ai?: Deps['ai'] };

/**
 * Advances every project that is due: its deadline has passed, or its judging time or hold is over.
 *
 * Each project is claimed with SKIP LOCKED in the transaction that advances it. Any number of processes can share the
 * work, and a crash leaves no partial change. The query only asks which projects are due by now, so a long downtime or
 * a clock change does no harm.
 *
 * @returns how many projects were advanced or postponed
 */
export async function advanceProjects(deps: AdvanceDeps, stopping?: AbortSignal): Promise<number> {
  // Usually no project is due, so try one project before the workers start.
  if (stopping?.aborted || !(await advanceNext(deps))) return 0;
  // Let all workers end before the first failure is thrown.
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => runWorker(deps, stopping)));
  const failed = ended.find((worker) => worker.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.reduce((sum, worker) => sum + (worker.status === 'fulfilled' ? worker.value : 0), 1);
}

async function runWorker(deps: AdvanceDeps, stopping: AbortSignal | undefined): Promise<number> {
  for (let advanced = 0; ; advanced += 1) {
    if (stopping?.aborted || !(await advanceNext(deps))) return advanced;
  }
}

/** Returns false if no due project is free, or if a recovery has to run first. */
async function advanceNext(deps: AdvanceDeps): Promise<boolean> {
  const claimed: { project: DueProject | null } = { project: null };
  try {
    return await withTransaction(deps.db, async (tx) => {
      const now = deps.clock.now();
      claimed.project = await lockNextDueProject(tx, now);
      // In a database that is older than the chain, the project may have ended.
      if (!claimed.project || (await whyStopped(deps, tx)) !== null) return false;
      await advance(deps, tx, claimed.project, now);
      return true;
    });
  } catch (error) {
    const { project } = claimed;
    if (!project) throw error;
    const waits = error instanceof DomainError && error.status === 503;
    deps.log[waits ? 'warn' : 'error']({ projectId: project.id, err: error }, 'a due project could not be advanced');
    await postpone(deps, project);
    return true;
  }
}

/** Postpones a failing project, so that it does not block the others. What this look tells of an outage is kept. */
async function postpone(deps: AdvanceDeps, project: DueProject): Promise<void> {
  const now = deps.clock.now();
  const timeOver = project.payAfter ?? project.judgingEndsAt ?? project.entriesEndAt;
  const lateMs = now.getTime() - timeOver.getTime();
  const waitMs = Math.min(Math.max(lateMs, MIN_WAIT_MS), MAX_WAIT_MS);
  await withTransaction(deps.db, async (tx) => {
    const isPostponed = await postponeProject(tx, project, new Date(now.getTime() + waitMs));
    if (isPostponed && isOutage(project, now)) await recordOutage(tx, project.id, now);
  });
}

async function advance(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<void> {
  if (project.awardedAt === null && (await isLost(tx, 'escrow', project.id)))
    await cancelWithRefunds(deps, tx, { project, actor: ACTOR, reason: 'Its prize is not on chain any more.', at });
  else if (project.status === 'open') await close(deps, tx, project, at);
  else if (project.status === 'judging' && project.heldAt !== null) await endHold(deps, tx, project, at);
  else if (project.status === 'judging' && project.awardedAt === null) await select(deps, tx, project, at);
  // USDC refuses its winner, and no operator has reopened the award. The prize stays owed.
  else if (project.status === 'judging' && (await hasRefusedPrize(tx, project.id)))
    await complete(deps, tx, project, { actor: ACTOR, at });
  // The project was decided in another way, so no further check is needed.
  else await scheduleNextCheck(tx, project.id, null);
}

async function close(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<void> {
  const endsAt = project.entriesEndAt;
  // The clock was set back, or the deadline was moved without `due_at`.
  if (at < endsAt) return await scheduleNextCheck(tx, project.id, endsAt);
  const end = await endEntries(deps, tx, { project, actor: ACTOR, at });
  if (end.now === 'waiting') await scheduleNextCheck(tx, project.id, end.until);
  if (end.now === 'empty') {
    const reason = (await hasConfirmedEntry(tx, project.id))
      ? 'Every entry was disqualified.'
      : 'No entry was submitted before the deadline.';
    await endWithoutEntry(deps, tx, { project, actor: ACTOR, reason, at, everyFee: end.everyFee });
  }
}

/** Decides a project whose poster chose no winner in time. The prize is always awarded or refunded. */
async function select(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<void> {
  const entries = await entriesOf(tx, project.id);
  if (!entries.some(isEligible)) {
    return await endWithoutEntry(deps, tx, { project, actor: ACTOR, reason: 'No eligible entry was left.', at });
  }
  const selected = selectByScores(entries);
  if (selected?.selection === 'scores') {
    const decision = { selection: 'scores', winnerId: selected.winner.id } as const;
    return await award(deps, tx, { project, decision, entries, actor: ACTOR, at });
  }
  if (await isAiJudging(deps, tx, project, at))
    return await scheduleNextCheck(tx, project.id, new Date(at.getTime() + AI_CHECK_INTERVAL_MS));
  await decideAutomatically(deps, tx, { project, entries, actor: ACTOR, at });
}

async function endHold(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<void> {
  const { payAfter, holdReason } = project;
  if (holdReason !== null) return await scheduleNextCheck(tx, project.id, null);
  // The clock was set back.
  if (payAfter !== null && at < payAfter) return await scheduleNextCheck(tx, project.id, payAfter);
  await payHeld(deps, tx, { project, actor: ACTOR, at });
}

/** Returns whether the AI judge still scores the entries. It never scores those of a project whose terms do not name it. */
async function isAiJudging({ ai }: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<boolean> {
  if (!ai || !(await agreedRules(tx, project.id)).aiJudge) return false;
  return (await startAiJudging(tx, project.id, at)) === 'running';
}
