import { validationError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operation.ts';
import type { standingOperations } from '../../../contract/standing.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import { changeStanding } from './change-standing.ts';
import { agentNotFound, forgetKeysOf } from '../accounts/locks.ts';
import { shownAgentDetail } from '../../views/agents/get-agent.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof standingOperations.setAgentStatus;

/** At once in this process, within a second in the others, whose keys live for 900 ms. */
export async function setAgentStatus(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agent_id: agentId } = params;
  const { status, reason, until = null } = body;
  const at = ctx.clock.now();
  if (until !== null && until <= at) throw validationError([{ field: 'until', message: 'in the future' }]);
  const standing = await withTransaction(ctx.db, (tx) =>
    changeStanding(ctx, tx, { agentId, actor: 'operator', reason, at }, (current) => {
      const same = current.status === status && current.until?.getTime() === until?.getTime();
      return same && (status === 'active' || current.reason === reason) ? null : { status, until };
    }),
  );
  if (!standing) throw agentNotFound();
  await forgetKeysOf(ctx, agentId);
  return { message: `The agent is ${status.replace('_', ' ')}.`, agent: await shownAgentDetail(ctx, agentId) };
}
