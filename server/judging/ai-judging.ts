import { withTransaction } from '../db/public.ts';
import { type JudgedBrief, judgedBrief, lockWhileJudged } from '../projects/public.ts';
import { entriesToScore, scoreEntries } from '../entries/public.ts';
import { type AiJudgingState, decide, endRound, findState, listScores, takeRound } from './ai-queries.ts';
import { type AiJudgingDeps, type RoundEnd, scoreRound } from './ai-round.ts';
import type { Queryable } from '../ports/database.ts';

export type { AiJudgingDeps };

/** Until the next round, after so many in a row that scored nothing; past the last one it is given up: after 2.6 hours. */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000];
const MAX_ATTEMPTS = PAUSES_MS.length + 1;
// A round begins no request after 3 minutes, and one may take 30 s twice: for a picture that is not at hand, and an answer.
const LEASE_MS = 300_000;

const SCORED = { state: 'scored', error: null } as const;
const NOT_NEEDED = { state: 'impossible', error: 'the poster scored, or no entry is left' } as const;

/** Null when no model was asked yet. Only `scored` lets scores decide: `impossible` leaves none, so the prize is split. */
export async function aiJudgingState(db: Queryable, projectId: string): Promise<AiJudgingState | null> {
  return await findState(db, projectId);
}

/**
 * Has the model score every entry of a project whose poster scored none: one round, called again until the state says
 * that it is over. Returns at once when another process is at it or a fault is being waited out. Never called inside
 * a transaction.
 */
export async function judgeWithAi(deps: AiJudgingDeps, projectId: string, stopping: AbortSignal): Promise<void> {
  if (!deps.ai) return;
  const brief = await judgedBrief(deps.db, projectId);
  if (!brief) return;
  const now = deps.clock.now();
  const round = await takeRound(deps.db, { projectId, now, until: new Date(now.getTime() + LEASE_MS) });
  if (!round) return;
  if (round.attempts > MAX_ATTEMPTS) return await giveUp(deps, projectId, 'too many rounds that scored nothing');
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
  if (end.kind === 'hopeless') return await giveUp(deps, projectId, end.problem);
  const inVain = end.scored > 0 ? 0 : attempts;
  if (end.kind === 'later' && inVain >= MAX_ATTEMPTS) return await giveUp(deps, projectId, end.problem);
  const now = deps.clock.now();
  const dueAt = new Date(now.getTime() + pauseMs(end, inVain));
  await endRound(deps.db, { projectId, dueAt, error: end.problem, uncounted: end.kind === 'stopped', now });
}

function pauseMs(end: RoundEnd, inVain: number): number {
  if (end.kind !== 'later') return 0;
  return Math.max(PAUSES_MS[Math.max(0, inVain - 1)] ?? 0, end.retryAfterMs);
}

/** Every entry has a score: all of them are written at once, or none when a person decided meanwhile. */
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
  if (done) deps.log.info({ projectId }, 'the entries were scored by the model');
}

async function giveUp(deps: AiJudgingDeps, projectId: string, problem: string): Promise<void> {
  await decide(deps.db, { projectId, state: 'impossible', error: problem, now: deps.clock.now() });
  deps.log.warn({ alert: 'ai_judging_impossible', projectId, problem }, 'the model could not score the entries');
}
