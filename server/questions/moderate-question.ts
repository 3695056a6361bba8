import type { Input, Output } from '../../contract/basics/operation.ts';
import type { questionOperations } from '../../contract/projects/questions.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lockProject } from '../projects/public.ts';
import { findQuestion, updateHidden } from './queries.ts';
import { questionNotFound, shownQuestion } from './shown-question.ts';
import type { OperatorCaller } from '../callers.ts';

type Operation = typeof questionOperations.moderateQuestion;

/** Hides a question with its answer from the public, or shows it again, in every state of the project. */
export async function moderateQuestion(
  ctx: Context<OperatorCaller>,
  { params, body: { hidden, reason } }: Input<Operation>,
): Promise<Output<Operation>> {
  const { question_id: id } = params;
  const row = await withTransaction(ctx.db, async (tx) => {
    const found = await findQuestion(tx, id);
    if (!found) throw questionNotFound();
    await lockProject(tx, { projectId: found.projectId });
    // Read again under the project's lock: another operator may have decided meanwhile.
    const current = (await findQuestion(tx, id)) ?? found;
    if ((current.hiddenAt !== null) === hidden) return current;
    const at = ctx.clock.now();
    const changed = await updateHidden(tx, id, { reason: hidden ? reason : null, at });
    await recordAudit(ctx, tx, {
      at,
      actor: 'operator',
      action: hidden ? 'question.hide' : 'question.show',
      subject: `question:${id}`,
      reason,
      details: { project_id: found.projectId, agent_id: found.agentId },
    });
    return changed;
  });
  return { message: hidden ? 'Question hidden.' : 'Question shown.', question: shownQuestion(row) };
}
