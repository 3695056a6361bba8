import { withTransaction } from '../db/public.ts';
import { type JudgedBrief, judgedBrief, lockWhileJudged } from '../projects/public.ts';
import { entriesToScore, scoreEntries } from '../entries/public.ts';
import { decide, endRound, listScores, takeRound } from './ai-queries.ts';
import { type AiJudgingDeps, type RoundEnd, scoreRound } from './ai-round.ts';

export type { AiJudgingDeps };

/**
 * Pauses after 1, 2, 3, and 4 rounds in a row without a score. After the fifth such round, 2.6 hours in total, judging
 * is given up.
 */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000];
const MAX_ATTEMPTS = PAUSES_MS.length + 1;
// A round starts no request after 3 minutes. A request can take 30 s twice: for a missing picture and for the answer.
const LEASE_MS = 300_000;

const SCORED = { state: 'scored', error: null } as const;
const NOT_NEEDED = { state: 'impossible', error: 'the poster scored an entry, or no entry is left' } as const;

/**
 * Runs one round in which the model scores the entries of a project without the poster's scores. The caller repeats it
 * until the state is `scored` or `impossible`.
 *
 * Returns at once if another process runs a round, or if a pause after a fault is not over. Must not run inside a
 * transaction.
 */
export async function judgeWithAi(deps: AiJudgingDeps, projectId: string, stopping: AbortSignal): Promise<void> {
  if (!deps.ai) return;
  const brief = await judgedBrief(deps.db, projectId);
  if (!brief) return;
  const now = deps.clock.now();
  const round = await takeRound(deps.db, { projectId, now, until: new Date(now.getTime() + LEASE_MS) });
  if (!round) return;
  if (round.attempts > MAX_ATTEMPTS) return await giveUp(deps, projectId, 'too many rounds without a score');
  await runRound(deps, { projectId, brief, stopping, attempts: round.attempts });
}

type Round = { projectId: string; brief: JudgedBrief; stopping: AbortSignal; attempts: number };

async function runRound(deps: AiJudgingDeps, { projectId, brief, stopping, attempts }: Round): Promise<void> {
  const entries = await entriesToScore(deps.db, projectId);
  if (entries.length === 0) {
    return await decide(deps.db, { projectId, ...NOT_NEEDED, now: deps.clock.now() });
  }
  const end = await scoreRound(deps, { projectId, brief, entries, stopping });
  if (end.kind === 'complete') return await conclude(deps, projectId);
  if (end.kind === 'impossible') return await giveUp(deps, projectId, end.problem);
  const failedRounds = end.scored > 0 ? 0 : attempts;
  if (end.kind === 'retry' && failedRounds >= MAX_ATTEMPTS) return await giveUp(deps, projectId, end.problem);
  const now = deps.clock.now();
  const dueAt = new Date(now.getTime() + pauseMs(end, failedRounds));
  await endRound(deps.db, { projectId, dueAt, error: end.problem, uncounted: end.kind === 'stopped', now });
}

function pauseMs(end: RoundEnd, failedRounds: number): number {
  if (end.kind !== 'retry') return 0;
  return Math.max(PAUSES_MS[Math.max(0, failedRounds - 1)] ?? 0, end.retryAfterMs);
}

/** Every entry has a score. Writes all scores in one transaction, or none if a person decided in the meantime. */
async function conclude(deps: AiJudgingDeps, projectId: string): Promise<void> {
  const done = await withTransaction(deps.db, async (tx) => {
    if (!(await lockWhileJudged(tx, projectId))) return false;
    const rows = await listScores(tx, projectId);
    const scores = rows.flatMap(({ submissionId, score, reason }) =>
      score === null || reason === null ? [] : [{ submissionId, score, reason }],
    );
    const now = deps.clock.now();
    const taken = await scoreEntries(tx, projectId, scores, now);
    await decide(tx, { projectId, ...(taken ? SCORED : NOT_NEEDED), now });
    return taken;
  });
  if (done) deps.log.info({ projectId }, 'the model scored all entries');
}

async function giveUp(deps: AiJudgingDeps, projectId: string, problem: string): Promise<void> {
  await decide(deps.db, { projectId, state: 'impossible', error: problem, now: deps.clock.now() });
  deps.log.warn({ alert: 'ai_judging_impossible', projectId, problem }, 'the model could not score the entries');
}
