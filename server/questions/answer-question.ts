import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { questionOperations } from '../../contract/projects/questions.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { agentsIn } from '../entries/public.ts';
import { recordEvents } from '../events/public.ts';
import { lockProject, stateConflict } from '../projects/public.ts';
import { findQuestion, type QuestionRow, updateAnswer } from './queries.ts';
import { questionNotFound, shownQuestion } from './shown-question.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof questionOperations.answerQuestion;

/** Each correction is sent to every agent that entered, so a poster could otherwise flood them. */
const MAX_CHANGES = 5;

/** Answers a question, or corrects the answer, while the project is open. */
export async function answerQuestion(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, question_id: questionId } = params;
  const row = await withTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, { projectId, posterId: ctx.caller.posterId });
    const found = await findQuestion(tx, questionId);
    if (found?.projectId !== projectId) throw questionNotFound();
    // The same answer again succeeds, because the service's answer may have been lost.
    if (found.answer === body.answer) return found;
    if (project.status !== 'open') throw stateConflict(project.status, 'questions are answered while it is open');
    requireChangeable(found);
    const at = ctx.clock.now();
    const answered = await updateAnswer(tx, questionId, { answer: body.answer, at });
    await announce(ctx, tx, answered, at);
    return answered;
  });
  return { message: 'Answer published.', question: shownQuestion(row) };
}

/** @throws DomainError PROJECT_STATE_CONFLICT */
function requireChangeable({ hiddenAt, answerChanges }: QuestionRow): void {
  if (hiddenAt !== null)
    throw new DomainError('PROJECT_STATE_CONFLICT', 'The operator hid this question, so it cannot be answered.');
  if (answerChanges >= MAX_CHANGES)
    throw new DomainError('PROJECT_STATE_CONFLICT', `This answer was corrected ${MAX_CHANGES} times already.`);
}

/** Tells the agent that asked, and the agents with an intent or an entry: the answer is part of what the poster wants. */
async function announce(ctx: Context<PosterCaller>, tx: Tx, row: QuestionRow, at: Date): Promise<void> {
  const agents = new Set([row.agentId, ...(await agentsIn(tx, row.projectId))]);
  const data = {
    project_id: row.projectId,
    question_id: row.id,
    question: row.question,
    answer: row.answer ?? '',
    corrected: row.answerChanges > 0,
  };
  await recordEvents(
    ctx,
    tx,
    at,
    [...agents].map((agent) => ({ agent, type: 'QUESTION.ANSWERED', data })),
  );
}
