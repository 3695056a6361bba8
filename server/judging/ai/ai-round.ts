import type { ModelAnswer, ModelQuestion, Picture } from '../../ports/ai.ts';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { alertOperator } from '../../events/public.ts';
import type { BriefForJudge } from '../../projects/judged-brief/public.ts';
import { entryToScore } from '../../entries/public.ts';
import { aboutFirstPicture, questionOf, shortened, type Verdict } from './ai-question.ts';
import { listScores, markUnscorable, type RequestPermit, reserveRequest, settleRequest } from './ai-queries.ts';
import { budgetFor, dearestTokens } from '../../ai/public.ts';

export type AiJudgingDeps = Pick<Deps, 'ai' | 'db' | 'clock' | 'config' | 'publicCopies' | 'log'>;

export type RoundEnd = { scored: number } &
  /** Every entry has a score or is unscorable. */
  (
    | { kind: 'complete' }
    /** `retryAfterMs`: how long the endpoint asked to wait. */
    | { kind: 'retry'; problem: string; retryAfterMs: number }
    /** The budget of this day is used up. */
    | { kind: 'tomorrow'; problem: string }
    /** The round did not finish, but nothing failed. */
    | { kind: 'stopped'; problem: string }
  );

type Ended = RoundEnd extends infer End ? (End extends { kind: 'complete' } ? never : Omit<End, 'scored'>) : never;

const CONCURRENCY = 2;
/** How many requests for one entry can end without a valid answer. */
const MAX_TRIES = 3;
const ROUND_MS = 180_000;
/** After this many faults in a row, the endpoint and not an entry has the fault. */
const FAULTS_IN_A_ROW = 3;

type Task = { projectId: string; brief: BriefForJudge; entries: string[]; stopping: AbortSignal };
type Round = Task & {
  queue: string[];
  until: Date;
  scored: number;
  faultsInARow: number;
  lastProblem: string | null;
  end: Ended | null;
};

/**
 * Asks the model about each entry without a score: one request per entry, in the order of ids, two at a time. An entry
 * without a usable answer does not stop the round, and after its tries it is unscorable.
 */
export async function scoreRound(deps: AiJudgingDeps, task: Task): Promise<RoundEnd> {
  const known = new Map((await listScores(deps.db, task.projectId)).map((row) => [row.submissionId, row]));
  const open = task.entries.filter((id) => (known.get(id)?.score ?? known.get(id)?.unscorable ?? null) === null);
  const until = new Date(deps.clock.now().getTime() + ROUND_MS);
  const round: Round = { ...task, queue: [], until, scored: 0, faultsInARow: 0, lastProblem: null, end: null };
  for (const id of open) {
    // A killed process has spent the tries that it began.
    if ((known.get(id)?.attempts ?? 0) < MAX_TRIES) round.queue.push(id);
    else await giveUpEntry(deps, round, { submissionId: id, problem: 'no usable answer' });
  }
  const workers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => runWorker(deps, round)));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
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
    await scoreEntry(deps, round, submissionId);
  }
}

async function scoreEntry(deps: AiJudgingDeps, round: Round, submissionId: string): Promise<void> {
  const entry = await entryToScore(deps.db, submissionId);
  const pictures = entry && (await readPictures(deps, entry.mediaFileIds));
  if (!entry || !pictures || !deps.ai) return recordFault(round, 'a picture could not be read');
  const { perDay } = deps.config.aiTokens;
  const perEntry = Math.min(budgetFor(pictures, deps.config.aiTokens.perEntry), perDay);
  const question = shortened(questionOf(round.brief, { entry, pictures, signal: round.stopping }), perEntry);
  const { projectId } = round;
  const [reserved, reservedAt] = [dearestTokens(question), deps.clock.now()];
  const budgets = { perEntry, perDay };
  const reservation = await reserve(deps, { projectId, submissionId, tokens: reserved, budgets, now: reservedAt });
  if (reservation.kind === 'dayBudgetUsed') {
    round.queue.unshift(submissionId);
    round.end ??= { kind: 'tomorrow', problem: 'the token budget of the day is used up' };
    return;
  }
  if (reservation.kind === 'entryBudgetUsed')
    return await giveUpEntry(deps, round, { submissionId, problem: 'its token budget is used up' });
  const answer = await deps.ai.ask(questionOfTry(question, reservation.number));
  const request = { projectId, submissionId, reserved, reservedAt };
  const tries = await settle(deps, { ...request, answer });
  await recordAnswer(deps, round, { submissionId, answer, tries });
}

/**
 * The last try shows the first picture without the entry's text. So an odd text does not keep the picture from its
 * score, and neither does an endpoint that takes one picture only.
 */
function questionOfTry(question: ModelQuestion<Verdict>, number: number): ModelQuestion<Verdict> {
  return number < MAX_TRIES ? question : aboutFirstPicture(question);
}

/** Reserves in one transaction; if one budget is used up, the other is not charged. */
async function reserve({ db }: AiJudgingDeps, request: Parameters<typeof reserveRequest>[1]): Promise<RequestPermit> {
  const undone = { reservation: null as RequestPermit | null };
  try {
    return await withTransaction(db, async (tx) => {
      const reservation = await reserveRequest(tx, request);
      if (reservation.kind === 'reserved') return reservation;
      undone.reservation = reservation;
      throw new BudgetUsed();
    });
  } catch (error) {
    if (error instanceof BudgetUsed && undone.reservation) return undone.reservation;
    throw error;
  }
}

/** Rolls a reservation back. */
class BudgetUsed extends Error {}

/** Larger sets are shown as thumbnails, so that a request stays below 2 MB. */
const LARGE_PICTURES = 4;

/** Returns every picture of the entry, or null when one cannot be read. */
async function readPictures({ publicCopies, log }: AiJudgingDeps, mediaFileIds: string[]): Promise<Picture[] | null> {
  const small = mediaFileIds.length > LARGE_PICTURES;
  const pictures: Picture[] = [];
  // One after the other, because each may have to be rendered, and a rendering holds memory.
  for (const mediaFileId of mediaFileIds) {
    try {
      const bytes = await publicCopies.read(mediaFileId, small ? 'plain-thumbnail' : 'plain-image');
      if (!bytes) return null;
      pictures.push({ bytes, contentType: 'image/webp', ...(small ? { small } : {}) });
    } catch (error) {
      log.warn({ err: error, mediaFileId }, 'a picture could not be read for the model');
      return null;
    }
  }
  return pictures.length > 0 ? pictures : null;
}

type Answered = {
  projectId: string;
  submissionId: string;
  reserved: number;
  reservedAt: Date;
  answer: ModelAnswer<Verdict>;
};

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

async function recordAnswer(
  deps: AiJudgingDeps,
  round: Round,
  { submissionId, answer, tries }: { submissionId: string; answer: ModelAnswer<Verdict>; tries: number },
): Promise<void> {
  if (answer.kind === 'answer') {
    round.scored += 1;
    round.faultsInARow = 0;
    return;
  }
  const { kind, problem } = answer;
  if (kind === 'stopped') {
    round.end ??= { kind, problem };
    return;
  }
  deps.log.warn({ projectId: round.projectId, submissionId, problem }, 'the model gave no score');
  if (kind === 'unavailable') return recordFault(round, problem, answer.retryAfterMs);
  round.faultsInARow = 0;
  if (tries >= MAX_TRIES) await giveUpEntry(deps, round, { submissionId, problem });
  else round.lastProblem = problem;
}

/** A fault that may be the endpoint's. The entry is tried again in the next round; the others go on in this one. */
function recordFault(round: Round, problem: string, retryAfterMs?: number): void {
  round.lastProblem = problem;
  round.faultsInARow += 1;
  if (retryAfterMs === undefined && round.faultsInARow < FAULTS_IN_A_ROW) return;
  round.end ??= { kind: 'retry', problem, retryAfterMs: retryAfterMs ?? 0 };
}

async function giveUpEntry(
  deps: AiJudgingDeps,
  { projectId }: Round,
  { submissionId, problem }: { submissionId: string; problem: string },
): Promise<void> {
  const { db, clock, log } = deps;
  await markUnscorable(db, { projectId, submissionIds: [submissionId], now: clock.now() }, problem);
  await alertOperator(deps, {
    type: 'ALERT.AI_ENTRY_UNSCORABLE',
    data: { subject: `submission:${submissionId}`, message: problem, details: { project_id: projectId } },
  });
  log.warn({ alert: 'ai_entry_unscorable', projectId, submissionId, problem }, 'the model could not score an entry');
}
