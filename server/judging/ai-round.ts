import type { ModelAnswer, Picture } from '../ports/ai.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { JudgedBrief } from '../projects/public.ts';
import { entryToScore } from '../entries/public.ts';
import { questionOf, type Verdict, withoutEntryText } from './ai-question.ts';
import { listScores, reserveRequest, settleRequest } from './ai-queries.ts';
import { dearestTokens } from '../ai/public.ts';

export type AiJudgingDeps = Pick<Deps, 'ai' | 'db' | 'clock' | 'config' | 'publicCopies' | 'log'>;

export type RoundEnd = { scored: number } & (
  | { kind: 'complete' }
  /** At least one entry cannot get a score, so no score counts. */
  | { kind: 'impossible'; problem: string }
  | { kind: 'retry'; problem: string; retryAfterMs: number }
  /** The round did not finish, but nothing failed. */
  | { kind: 'stopped'; problem: string }
);

type Ended = RoundEnd extends infer End ? (End extends { kind: 'complete' } ? never : Omit<End, 'scored'>) : never;

const CONCURRENCY = 2;
/** How many requests for one entry can end without a valid answer. */
const MAX_TRIES = 3;
const ROUND_MS = 180_000;

type Task = { projectId: string; brief: JudgedBrief; entries: string[]; stopping: AbortSignal };
type Round = Task & {
  queue: string[];
  until: Date;
  pending: number;
  /** How many requests this round has started in total. */
  begun: number;
  scored: number;
  lastProblem: string | null;
  end: Ended | null;
};

/** Asks the model about each entry without a score: one request per entry, in the order of ids, two at a time. */
export async function scoreRound(deps: AiJudgingDeps, task: Task): Promise<RoundEnd> {
  const known = new Map((await listScores(deps.db, task.projectId)).map((row) => [row.submissionId, row]));
  const queue = task.entries.filter((id) => (known.get(id)?.score ?? null) === null);
  if (queue.some((id) => (known.get(id)?.attempts ?? 0) >= MAX_TRIES)) {
    return { kind: 'impossible', problem: 'an entry got no valid answer', scored: 0 };
  }
  const until = new Date(deps.clock.now().getTime() + ROUND_MS);
  const round: Round = { ...task, queue, until, pending: 0, begun: 0, scored: 0, lastProblem: null, end: null };
  const workers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => runWorker(deps, round)));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
  // A worker puts an entry back if another worker's reservation uses the rest of the budget. Score these entries now.
  await runWorker(deps, round);
  return { ...roundEnd(round), scored: round.scored };
}

function roundEnd({ end, queue, lastProblem }: Round): Ended | { kind: 'complete' } {
  if (end) return end;
  if (queue.length > 0) return { kind: 'stopped', problem: 'the round did not finish' };
  return lastProblem === null ? { kind: 'complete' } : { kind: 'retry', problem: lastProblem, retryAfterMs: 0 };
}

async function runWorker(deps: AiJudgingDeps, round: Round): Promise<void> {
  while (round.end === null && !round.stopping.aborted && deps.clock.now() < round.until) {
    const submissionId = round.queue.shift();
    if (submissionId === undefined) return;
    const shouldContinue = await scoreEntry(deps, round, submissionId);
    if (!shouldContinue) return;
  }
}

async function scoreEntry(deps: AiJudgingDeps, round: Round, submissionId: string): Promise<boolean> {
  const entry = await entryToScore(deps.db, submissionId);
  const picture = entry && (await readPicture(deps, entry.mediaFileId));
  if (!entry || !picture || !deps.ai) {
    round.end ??= { kind: 'retry', problem: 'a picture could not be read', retryAfterMs: 0 };
    return false;
  }
  const question = questionOf(round.brief, { entry, picture, signal: round.stopping });
  const { projectId } = round;
  const reserved = dearestTokens(question);
  const budget = deps.config.aiTokensPerProject;
  const alone = round.pending === 0;
  round.pending += 1;
  round.begun += 1;
  const { begun } = round;
  try {
    const request = { projectId, submissionId, tokens: reserved, budget, now: deps.clock.now() };
    const number = await withTransaction(deps.db, (tx) => reserveRequest(tx, request));
    if (number === null) return putBack(round, submissionId, alone && round.begun === begun);
    // The last try leaves the entry's text out. Its text must not prevent the judging of all entries.
    const answer = await deps.ai.ask(number < MAX_TRIES ? question : withoutEntryText(question));
    const tries = await settle(deps, { projectId, submissionId, reserved, answer });
    return recordAnswer(deps, round, { submissionId, answer, tries });
  } finally {
    round.pending -= 1;
  }
}

async function readPicture({ publicCopies, log }: AiJudgingDeps, mediaFileId: string): Promise<Picture | null> {
  try {
    const bytes = await publicCopies.read(mediaFileId, 'image');
    return bytes && { bytes, contentType: 'image/webp' };
  } catch (error) {
    log.warn({ err: error, mediaFileId }, 'a picture could not be read for the model');
    return null;
  }
}

function putBack(round: Round, submissionId: string, alone: boolean): boolean {
  round.queue.unshift(submissionId);
  // If another request ran at the same time, its reservation may have been too high. Then the budget is not used up
  // yet.
  if (alone) round.end ??= { kind: 'impossible', problem: 'the token budget is used up' };
  return false;
}

type Answered = { projectId: string; submissionId: string; reserved: number; answer: ModelAnswer<Verdict> };

async function settle(deps: AiJudgingDeps, { answer, ...request }: Answered): Promise<number> {
  const settlement = {
    ...request,
    tokens: answer.tokens,
    verdict: answer.kind === 'answer' ? answer.value : null,
    endpointFault: answer.kind === 'unavailable' || answer.kind === 'stopped',
    now: deps.clock.now(),
  };
  return await withTransaction(deps.db, (tx) => settleRequest(tx, settlement));
}

function recordAnswer(
  { log }: AiJudgingDeps,
  round: Round,
  { submissionId, answer, tries }: { submissionId: string; answer: ModelAnswer<Verdict>; tries: number },
): boolean {
  if (answer.kind === 'answer') {
    round.scored += 1;
    return true;
  }
  const { kind, problem } = answer;
  if (kind === 'stopped') {
    round.end ??= { kind, problem };
    return false;
  }
  log.warn({ projectId: round.projectId, submissionId, problem }, 'the model gave no score');
  if (kind === 'unavailable') round.end ??= { kind: 'retry', problem, retryAfterMs: answer.retryAfterMs ?? 0 };
  else if (tries >= MAX_TRIES) round.end ??= { kind: 'impossible', problem };
  else round.lastProblem = problem;
  return round.end === null;
}
