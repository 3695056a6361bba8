import { withTransaction } from '../../db/public.ts';
import { recordAlert } from '../../events/public.ts';
import { type BriefForJudge, briefForJudge, lockWhileJudged } from '../../projects/judged-brief/public.ts';
import { entriesToScore, scoreEntries } from '../../entries/public.ts';
import { decideAiJudging, endRound, listScores, markUnscorable, takeRound } from './ai-queries.ts';
import { type AiJudgingDeps, type RoundEnd, scoreRound } from './ai-round.ts';

/**
 * Pauses after 1, 2, 3, and 4 rounds in a row without a score. After the fifth such round, 2.6 hours in total, the
 * entries without a score are given up.
 */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000];
const MAX_ATTEMPTS = PAUSES_MS.length + 1;
// A round starts no request after 3 minutes. A request can take 30 s twice: for a missing picture and for the answer.
const LEASE_MS = 300_000;
const DAY_MS = 86_400_000;

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
  const brief = await briefForJudge(deps.db, projectId);
  if (!brief) return;
  const now = deps.clock.now();
  const round = await takeRound(deps.db, { projectId, now, until: new Date(now.getTime() + LEASE_MS) });
  if (!round) return;
  await runRound(deps, { projectId, brief, stopping, attempts: round.attempts });
}

type Round = { projectId: string; brief: BriefForJudge; stopping: AbortSignal; attempts: number };

async function runRound(deps: AiJudgingDeps, { projectId, brief, stopping, attempts }: Round): Promise<void> {
  const entries = await entriesToScore(deps.db, projectId);
  if (entries.length === 0) {
    return await decideAiJudging(deps.db, { projectId, ...NOT_NEEDED, now: deps.clock.now() });
  }
  // Every round killed its process, or the model gave no score in any of them.
  if (attempts > MAX_ATTEMPTS)
    return await conclude(deps, projectId, { entries, problem: 'too many rounds without a score' });
  const end = await scoreRound(deps, { projectId, brief, entries, stopping });
  if (end.kind === 'complete') return await conclude(deps, projectId, { entries, problem: 'no usable answer' });
  const failedRounds = end.scored > 0 ? 0 : attempts;
  if (end.kind === 'retry' && failedRounds >= MAX_ATTEMPTS)
    return await conclude(deps, projectId, { entries, problem: end.problem });
  const now = deps.clock.now();
  const dueAt = new Date(now.getTime() + pauseMs(end, failedRounds, now));
  const uncounted = end.kind === 'stopped' || end.kind === 'tomorrow';
  await endRound(deps.db, { projectId, dueAt, error: end.problem, uncounted, now });
}

function pauseMs(end: RoundEnd, failedRounds: number, now: Date): number {
  if (end.kind === 'tomorrow') return DAY_MS - (now.getTime() % DAY_MS);
  if (end.kind !== 'retry') return 0;
  return Math.max(PAUSES_MS[Math.max(0, failedRounds - 1)] ?? 0, end.retryAfterMs);
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
  const state = await withTransaction(deps.db, async (tx) => {
    if (!(await lockWhileJudged(tx, projectId))) return null;
    const now = deps.clock.now();
    const rows = await listScores(tx, projectId);
    const scores = rows.flatMap(({ submissionId, score, reason }) =>
      score === null || reason === null ? [] : [{ submissionId, score, reason }],
    );
    const taken = await scoreEntries(tx, projectId, scores, now);
    if (taken !== 'refused') await markUnscorable(tx, { projectId, submissionIds: entries, now }, problem);
    const given = { scored: SCORED, unscored: { state: 'impossible', error: problem }, refused: NOT_NEEDED } as const;
    await decideAiJudging(tx, { projectId, ...given[taken], now });
    if (taken === 'unscored')
      await recordAlert(tx, now, {
        type: 'ALERT.AI_JUDGING_IMPOSSIBLE',
        data: { subject: `project:${projectId}`, message: problem, details: {} },
      });
    return taken;
  });
  if (state === 'scored') deps.log.info({ projectId }, 'the model judged the entries');
  if (state === 'unscored')
    deps.log.warn({ alert: 'ai_judging_impossible', projectId, problem }, 'the model could score no entry');
}
