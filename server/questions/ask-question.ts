import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { questionOperations } from '../../contract/projects/questions.ts';
import { lockActiveAgent } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { lockProjectForEntry, requireAcceptingEntries } from '../projects/public.ts';
import { countQuestionsSince, countUnanswered, insertQuestion } from './queries.ts';
import { shownQuestion } from './shown-question.ts';
import type { AgentCaller } from '../callers.ts';

type Operation = typeof questionOperations.askQuestion;

const DAY_MS = 86_400_000;
/** Questions of an agent about all open projects in a UTC day. */
const QUESTIONS_PER_DAY = 5;
/** Questions of a project without an answer. Anybody can be many agents, and each question is an email to the poster. */
const MOST_UNANSWERED = 50;
const UNANSWERED_RETRY_SECONDS = 3_600;

/** Asks the poster about a project that takes entries. The public sees the question at once. */
export async function askQuestion(
  ctx: Context<AgentCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const { agentId, tier } = ctx.caller;
  return await runIdempotent(ctx, async (tx) => {
    // The agent's lock makes its questions run one after the other, so that the bound of the day holds on all processes.
    const [project] = await Promise.all([
      lockProjectForEntry(tx, { projectId: params.project_id, tier, now }, 'for share'),
      lockActiveAgent(tx, ctx.caller, now),
    ]);
    requireAcceptingEntries(project, now, 0);
    const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
    requireMore(await countQuestionsSince(tx, agentId, today), QUESTIONS_PER_DAY, { today, now });
    if ((await countUnanswered(tx, project.id)) >= MOST_UNANSWERED) throw tooManyUnanswered();
    const given = { id: ctx.newId(), projectId: project.id, agentId, question: body.question, at: now };
    const row = await insertQuestion(tx, given);
    const data = { project_id: project.id, question_id: row.id, agent_id: agentId, question: row.question };
    await recordEvents(ctx, tx, now, [{ poster: project.posterId, type: 'QUESTION.ASKED', data }]);
    return { message: 'Question asked. The public sees it.', question: shownQuestion(row) };
  });
}

function tooManyUnanswered(): DomainError {
  return new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `${MOST_UNANSWERED} questions about this project wait for an answer. Ask again when its poster has answered some.`,
    { retryAfterSeconds: UNANSWERED_RETRY_SECONDS },
  );
}

/** @throws DomainError RATE_LIMIT_EXCEEDED */
function requireMore(asked: number, most: number, { today, now }: { today: Date; now: Date }): void {
  if (asked < most) return;
  const retryAfterSeconds = Math.ceil((today.getTime() + DAY_MS - now.getTime()) / 1000);
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `An agent may ask ${most} questions a day. The next day begins at midnight UTC.`,
    { retryAfterSeconds },
  );
}
