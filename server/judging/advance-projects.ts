import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { type DueProject, lockNextDueProject, lookAgainAt, postponeProject } from '../projects/public.ts';
import { entriesOf, hasConfirmedEntry } from '../entries/public.ts';
import { aiJudgingState } from './ai-judging.ts';
import { award } from './award.ts';
import { cancelWithRefunds } from './cancel-with-refunds.ts';
import { endEntries } from './end-entries.ts';
import { isEligible, selectByScores } from './selection.ts';
import type { Tx } from '../ports/database.ts';

// Side by side in one process: they wait for the disk of the database more than for anything else, and leave most of the
// pool to requests.
const LANES = 4;
// A project that can not be moved waits as long again as it is late already, so that its tries thin out by themselves.
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10 * 60_000;
/** How often a project is looked at whose entries the AI judge is scoring; it says so itself when it is done. */
const AI_LOOK_MS = 30_000;

const ACTOR = 'timer';

export type AdvanceDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'newId' | 'log'> & { ai?: Deps['ai'] };
/** Takes on a project for the AI judge, who works apart: a round of it takes minutes. */
export type HandOver = (projectId: string) => void;

/**
 * Moves on every project whose time has come: deadlines, judging that nobody ended. The rows are claimed by SKIP LOCKED,
 * each in the transaction that moves it, so any number of processes share the work and a crash leaves nothing behind. It
 * only asks what is due by now: after days of being switched off, or a step of the clock, the answer is still right.
 *
 * @returns how many were moved, or put off
 */
export async function advanceProjects(
  deps: AdvanceDeps,
  stopping?: AbortSignal,
  handOver: HandOver = () => {},
): Promise<number> {
  // Nothing is due in nearly every second: one look is enough to know.
  if (stopping?.aborted || !(await advanceNext(deps, handOver))) return 0;
  // All of them end before the failure of one is told.
  const ended = await Promise.allSettled(Array.from({ length: LANES }, () => runLane(deps, stopping, handOver)));
  const failed = ended.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.reduce((sum, lane) => sum + (lane.status === 'fulfilled' ? lane.value : 0), 1);
}

async function runLane(deps: AdvanceDeps, stopping: AbortSignal | undefined, handOver: HandOver): Promise<number> {
  for (let advanced = 0; ; advanced += 1) {
    if (stopping?.aborted || !(await advanceNext(deps, handOver))) return advanced;
  }
}

/** False when nothing is due that nobody else is moving. */
async function advanceNext(deps: AdvanceDeps, handOver: HandOver): Promise<boolean> {
  const claimed: { project: DueProject | null } = { project: null };
  try {
    const next = await withTransaction(deps.db, async (tx) => {
      const now = deps.clock.now();
      claimed.project = await lockNextDueProject(tx, now);
      return claimed.project ? await moveOn(deps, tx, claimed.project, now) : 'nothing';
    });
    if (next === 'judge' && claimed.project) handOver(claimed.project.id);
    return next !== 'nothing';
  } catch (error) {
    const { project } = claimed;
    if (!project) throw error;
    deps.log.error({ projectId: project.id, err: error }, 'a due project could not be moved on');
    await putOff(deps, project);
    return true;
  }
}

/** It keeps no other from its turn. */
async function putOff(deps: AdvanceDeps, project: DueProject): Promise<void> {
  const now = deps.clock.now().getTime();
  const lateMs = now - project.timeOver.getTime();
  const waitMs = Math.min(Math.max(lateMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  await postponeProject(deps.db, project, new Date(now + waitMs));
}

async function moveOn(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<'moved' | 'judge'> {
  if (project.status === 'open') await close(deps, tx, project, at);
  else if (project.status === 'judging' && project.awardedAt === null) return await select(deps, tx, project, at);
  // Its end was settled in another way: time has nothing more to do with it.
  else await lookAgainAt(tx, project.id, null);
  return 'moved';
}

async function close(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<void> {
  const { deadline } = project;
  // The clock was set back, or the deadline moved without it.
  if (at < deadline) return await lookAgainAt(tx, project.id, deadline);
  const end = await endEntries(deps, tx, { project, deadline, actor: ACTOR, at });
  if (end.now === 'waiting') await lookAgainAt(tx, project.id, end.until);
  if (end.now === 'empty') {
    const reason = (await hasConfirmedEntry(tx, project.id))
      ? 'Every entry was disqualified.'
      : 'No entry was submitted before the deadline.';
    await cancelWithRefunds(deps, tx, { project, actor: ACTOR, reason, at });
  }
}

/** Nobody chose a winner in time. Silence never keeps the prize. */
async function select(deps: AdvanceDeps, tx: Tx, project: DueProject, at: Date): Promise<'moved' | 'judge'> {
  const entries = await entriesOf(tx, project.id);
  if (!entries.some(isEligible)) {
    await cancelWithRefunds(deps, tx, { project, actor: ACTOR, reason: 'No entry was left to win.', at });
    return 'moved';
  }
  const selected = selectByScores(entries);
  if (selected?.selection !== 'scores' && (await isAiJudging(deps, tx, project.id))) {
    await lookAgainAt(tx, project.id, new Date(at.getTime() + AI_LOOK_MS));
    return 'judge';
  }
  const decision = selected
    ? { selection: selected.selection, winnerId: selected.winner.id }
    : { selection: 'split' as const, winnerId: null };
  await award(deps, tx, { project, decision, entries, actor: ACTOR, at });
  return 'moved';
}

async function isAiJudging({ ai }: AdvanceDeps, tx: Tx, projectId: string): Promise<boolean> {
  if (!ai) return false;
  const state = await aiJudgingState(tx, projectId);
  return state === null || state === 'running';
}
