import { withTransaction } from '../../db/public.ts';
import { recordAlert } from '../../events/public.ts';
import { entriesOf, type EntryRow, recordAiScores } from '../../entries/public.ts';
import { isEligible, selectByScores } from '../ends/selection.ts';
import { bringForward, findProject, lockProject, type ProjectRow } from '../../projects/public.ts';
import { endRound, listScores, recordScores, takeRound } from './ai-queries.ts';
import { type AiJudgingDeps, askAboutEntry } from './ask-about-entry.ts';

/**
 * Pauses after 1, 2, 3, and 4 rounds in a row without a score. After the fifth such round, 2.6 hours in total, the
 * entries without a score are given up.
 */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000];
const MAX_ATTEMPTS = PAUSES_MS.length + 1;
/** A round starts with no further entry after 3 minutes. An entry takes at most 90 s, and its pictures more. */
const ROUND_MS = 180_000;
/** The entries of a project's turn. A large project must not use up the tokens of a day before a small one is judged. */
const MOST_IN_A_ROUND = 20;
const LEASE_MS = 600_000;
const DAY_MS = 86_400_000;
const CONCURRENCY = 4;
/** After this many failures, the endpoint and not an entry has the fault. */
const MAX_FAILURES = 3;
const NOT_NEEDED = 'the poster decided, or no entry is left';

type Round = {
  projectId: string;
  brief: ProjectRow;
  queue: string[];
  /** How many entries of the queue another round judges. */
  later: number;
  scored: number;
  failures: number;
  problem: string | null;
  /** The earliest time of the next round, if the endpoint or the budget names one. */
  notBefore: Date | null;
  /** The budget of the day is used up, which is nobody's fault. */
  isDayOver: boolean;
};

/**
 * Runs one round of the AI judge: it scores entries of the project that waits the longest, each in a request of its own. An
 * entry without a usable answer does not stop the round.
 */
export async function judgeWithAi(deps: AiJudgingDeps, stopping: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  if (!deps.ai) return;
  const now = clock.now();
  const taken = await takeRound(db, { now, until: new Date(now.getTime() + LEASE_MS) });
  if (!taken) return;
  try {
    await runRound(deps, taken, stopping);
  } catch (error) {
    log.error({ projectId: taken.projectId, err: error }, 'a round of the AI judge failed');
  }
}

async function runRound(
  deps: AiJudgingDeps,
  { projectId, attempts }: { projectId: string; attempts: number },
  stopping: AbortSignal,
): Promise<void> {
  const { db, clock } = deps;
  const brief = await findProject(db, { projectId });
  const entries = brief ? entriesToScore(brief, await entriesOf(db, projectId)) : [];
  if (!brief || entries.length === 0) return await endRound(db, projectId, { state: 'impossible' }, NOT_NEEDED);
  // Every round killed its process.
  if (attempts > MAX_ATTEMPTS) return await conclude(deps, projectId, { entries, problem: 'too many failed rounds' });
  const known = new Set((await listScores(db, projectId)).map(({ submissionId }) => submissionId));
  const queue = entries.filter((id) => !known.has(id));
  const round: Round = {
    projectId,
    brief,
    queue,
    later: Math.max(0, queue.length - MOST_IN_A_ROUND),
    scored: 0,
    failures: 0,
    problem: null,
    notBefore: null,
    isDayOver: false,
  };
  const until = clock.now().getTime() + ROUND_MS;
  const work = async () => {
    while (!stopping.aborted && !round.notBefore && round.failures < MAX_FAILURES && clock.now().getTime() < until) {
      const submissionId = queue.length > round.later ? queue.shift() : undefined;
      if (submissionId === undefined) return;
      await judgeEntry(deps, round, submissionId, stopping);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const failedRounds = round.scored > 0 || round.isDayOver || stopping.aborted ? 0 : attempts;
  const isComplete = round.queue.length === 0 && round.problem === null && !stopping.aborted;
  if (isComplete || (round.problem !== null && failedRounds >= MAX_ATTEMPTS))
    return await conclude(deps, projectId, { entries, problem: round.problem ?? 'no usable answer' });
  await postpone(deps, round, failedRounds);
}

/**
 * Returns the ids of the entries to score: those that the poster did not score. The list is empty when the project has a
 * result, also one on hold, or by the poster's scores.
 */
function entriesToScore({ status, awardedAt, heldAt }: ProjectRow, entries: EntryRow[]): string[] {
  if (status !== 'judging' || (awardedAt ?? heldAt) !== null || selectByScores(entries) !== null) return [];
  return entries.filter((entry) => isEligible(entry) && entry.score === null).map(({ id }) => id);
}

/** Lets another round follow: at once if this one only ran out of time, and else after a pause. */
async function postpone({ db, clock }: AiJudgingDeps, round: Round, failedRounds: number): Promise<void> {
  const { projectId, problem, isDayOver, notBefore } = round;
  const now = clock.now();
  const pauseMs = problem === null || isDayOver ? 0 : (PAUSES_MS[Math.max(0, failedRounds - 1)] ?? 0);
  const dueAt = new Date(Math.max(now.getTime() + pauseMs, notBefore?.getTime() ?? 0));
  const error = problem ?? 'the round did not finish';
  await endRound(db, projectId, { dueAt, attempts: failedRounds }, error);
}

/** Asks about one entry, and records what became of it. An entry without a fault of its own waits for another round. */
async function judgeEntry(deps: AiJudgingDeps, round: Round, submissionId: string, stopping: AbortSignal) {
  const { db, clock, log } = deps;
  const { projectId, brief } = round;
  const result = await askAboutEntry(deps, { brief, submissionId, signal: stopping });
  if (stopping.aborted && result.kind === 'failed') return;
  const now = clock.now();
  if (result.kind === 'scored') {
    round.scored += 1;
    return await recordScores(db, { projectId, submissionIds: [submissionId] }, result.verdict);
  }
  const { problem } = result;
  log.warn({ projectId, submissionId, problem }, 'the model gave no score');
  if (result.kind === 'unscorable')
    return await recordScores(db, { projectId, submissionIds: [submissionId] }, problem);
  round.problem = problem;
  round.failures += 1;
  if (result.kind === 'dayOver') {
    round.isDayOver = true;
    round.notBefore = new Date(Math.ceil((now.getTime() + 1) / DAY_MS) * DAY_MS);
  } else if (result.retryAfterMs !== undefined) round.notBefore = new Date(now.getTime() + result.retryAfterMs);
}

/**
 * Ends judging. Entries without a score become unscorable, and all scores are written in one transaction. Writes nothing
 * if no entry has a score, or if a person decided in the meantime.
 */
async function conclude(
  deps: AiJudgingDeps,
  projectId: string,
  { entries, problem }: { entries: string[]; problem: string },
): Promise<void> {
  const { db, clock, log } = deps;
  await withTransaction(db, async (tx) => {
    const now = clock.now();
    const project = await lockProject(tx, { projectId });
    const eligible = new Set(entriesToScore(project, await entriesOf(tx, projectId)));
    if (eligible.size === 0) return await endRound(tx, projectId, { state: 'impossible' }, NOT_NEEDED);
    await recordScores(tx, { projectId, submissionIds: entries }, problem);
    const rows = await listScores(tx, projectId);
    const scores = rows.flatMap(({ submissionId, verdict }) =>
      verdict && eligible.has(submissionId) ? [{ submissionId, ...verdict }] : [],
    );
    await recordAiScores(tx, scores, now);
    if (scores.length > 0) await endRound(tx, projectId, { state: 'scored' }, null);
    else await endRound(tx, projectId, { state: 'impossible' }, problem);
    const unscorable = rows.find((row) => row.unscorable !== null);
    if (!unscorable) return;
    const alert = { subject: `project:${projectId}` as const, message: unscorable.unscorable ?? problem };
    await recordAlert(tx, now, { alert: 'ai_unscorable', ...alert, details: { scored: scores.length } });
    log.warn({ alert: 'ai_unscorable', projectId, problem: alert.message }, 'the model could not score an entry');
  });
  await bringForward(db, projectId, clock.now());
}
