import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input } from '../../../contract/basics/operation.ts';
import type { standingOperations } from '../../../contract/agents/standing.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { changeStanding } from './change-standing.ts';
import { agentNotFound, forgetKeysOf } from '../accounts/locks.ts';
import type { Standing } from '../accounts/status.ts';
import type { OperatorCaller } from '../../callers.ts';

type Operation = typeof standingOperations.setAgentStatus;

/**
 * Sets an agent's status. The change applies immediately in this process, and within a second in the others, which
 * cache keys for 900 ms.
 *
 * @throws DomainError VALIDATION_ERROR for an end in the past; AGENT_NOT_FOUND, PROJECT_STATE_CONFLICT
 */
export async function changeAgentStatus(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<void> {
  const { agent_id: agentId } = params;
  const { status, reason, until = null, instead_of: expected } = body;
  const at = ctx.clock.now();
  if (until !== null && until <= at) throw validationError([{ field: 'until', message: 'in the future' }]);
  const standing = await withTransaction(ctx.db, (tx) =>
    changeStanding(ctx, tx, { agentId, actor: 'operator', reason, at }, (current) => {
      const same = current.status === status && current.until?.getTime() === until?.getTime();
      if (same && (status === 'active' || current.reason === reason)) return null;
      if (expected !== undefined && expected !== current.status) throw changedMeanwhile(current);
      return { status, until };
    }),
  );
  if (!standing) throw agentNotFound();
  await forgetKeysOf(ctx, agentId);
}

function changedMeanwhile({ status, reason }: Standing): DomainError {
  const why = reason === null ? '' : `: ${reason}`;
  return new DomainError(
    'PROJECT_STATE_CONFLICT',
    `Another operator has changed this status meanwhile. The agent is ${status.replace('_', ' ')}${why}`,
  );
}
