import type { ModelAnswer, Picture } from '../ports/ai.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { JudgedBrief } from '../projects/public.ts';
import { entryToScore } from '../entries/public.ts';
import { questionOf, type Verdict, withoutWords } from './ai-question.ts';
import { listScores, reserveRequest, settleRequest } from './ai-queries.ts';
import { dearestTokens } from '../ai/public.ts';

export type AiJudgingDeps = Pick<Deps, 'ai' | 'db' | 'clock' | 'config' | 'publicCopies' | 'log'>;

export type RoundEnd = { scored: number } & (
  | { kind: 'complete' }
  /** An entry will get no score, and so no score counts. */
  | { kind: 'hopeless'; problem: string }
  | { kind: 'later'; problem: string; retryAfterMs: number }
  /** Not through, by no fault of anybody. */
  | { kind: 'stopped'; problem: string }
);

type Ended = RoundEnd extends infer End ? (End extends { kind: 'complete' } ? never : Omit<End, 'scored'>) : never;

const LANES = 2;
/** Requests for one entry whose answers were none. */
const MAX_TRIES = 3;
const ROUND_MS = 180_000;

type Task = { projectId: string; brief: JudgedBrief; entries: string[]; stopping: AbortSignal };
type Round = Task & {
  queue: string[];
  until: Date;
  pending: number;
  /** Requests that were begun, ever. */
  begun: number;
  scored: number;
  wrong: string | null;
  end: Ended | null;
};

/** Asks for every entry that has no score yet, each alone and in the order of the ids, a few at a time. */
export async function scoreRound(deps: AiJudgingDeps, task: Task): Promise<RoundEnd> {
  const known = new Map((await listScores(deps.db, task.projectId)).map((row) => [row.submissionId, row]));
  const queue = task.entries.filter((id) => (known.get(id)?.score ?? null) === null);
  if (queue.some((id) => (known.get(id)?.attempts ?? 0) >= MAX_TRIES)) {
    return { kind: 'hopeless', problem: 'an entry without an answer', scored: 0 };
  }
  const until = new Date(deps.clock.now().getTime() + ROUND_MS);
  const round: Round = { ...task, queue, until, pending: 0, begun: 0, scored: 0, wrong: null, end: null };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => lane(deps, round)));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
  // What one lane put back because the other's request took the rest of the budget for itself.
  await lane(deps, round);
  return { ...endOf(round), scored: round.scored };
}

function endOf({ end, queue, wrong }: Round): Ended | { kind: 'complete' } {
  if (end) return end;
  if (queue.length > 0) return { kind: 'stopped', problem: 'goes on' };
  return wrong === null ? { kind: 'complete' } : { kind: 'later', problem: wrong, retryAfterMs: 0 };
}

async function lane(deps: AiJudgingDeps, round: Round): Promise<void> {
  while (round.end === null && !round.stopping.aborted && deps.clock.now() < round.until) {
    const submissionId = round.queue.shift();
    if (submissionId === undefined) return;
    const goesOn = await scoreEntry(deps, round, submissionId);
    if (!goesOn) return;
  }
}

async function scoreEntry(deps: AiJudgingDeps, round: Round, submissionId: string): Promise<boolean> {
  const entry = await entryToScore(deps.db, submissionId);
  const picture = entry && (await readPicture(deps, entry.mediaFileId));
  if (!entry || !picture || !deps.ai) {
    round.end ??= { kind: 'later', problem: 'a picture could not be read', retryAfterMs: 0 };
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
    if (number === null) return tooDear(round, submissionId, alone && round.begun === begun);
    // An entry's own words must not be what keeps it from being judged, and all others with it.
    const answer = await deps.ai.ask(number < MAX_TRIES ? question : withoutWords(question));
    const tries = await settle(deps, { projectId, submissionId, reserved, answer });
    return note(deps, round, { submissionId, answer, tries });
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

function tooDear(round: Round, submissionId: string, alone: boolean): boolean {
  round.queue.unshift(submissionId);
  // Another request, even if it has ended by now, had reserved more than it needed in the end.
  if (alone) round.end ??= { kind: 'hopeless', problem: 'the token budget is used up' };
  return false;
}

type Answered = { projectId: string; submissionId: string; reserved: number; answer: ModelAnswer<Verdict> };

async function settle(deps: AiJudgingDeps, { answer, ...request }: Answered): Promise<number> {
  const settlement = {
    ...request,
    tokens: answer.tokens,
    verdict: answer.kind === 'answer' ? answer.value : null,
    blameless: answer.kind === 'unavailable' || answer.kind === 'stopped',
    now: deps.clock.now(),
  };
  return await withTransaction(deps.db, (tx) => settleRequest(tx, settlement));
}

function note(
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
  if (kind === 'unavailable') round.end ??= { kind: 'later', problem, retryAfterMs: answer.retryAfterMs ?? 0 };
  else if (tries >= MAX_TRIES) round.end ??= { kind: 'hopeless', problem };
  else round.wrong = problem;
  return round.end === null;
}
