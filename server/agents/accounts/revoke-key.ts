import type { keyOperations } from '../../../contract/agents/keys.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { revokeKeyOf } from './key-queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof keyOperations.revokeKey;

/**
 * Revokes one of the agent's own keys immediately. Revoking a key twice succeeds. Another agent's key gives the same
 * NOT_FOUND as a key that does not exist.
 */
export async function revokeKey(ctx: Context<AgentCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const revoked = await revokeKeyOf(ctx.db, { id: params.key_id, agentId: ctx.caller.agentId, now: ctx.clock.now() });
  if (!revoked) throw new DomainError('NOT_FOUND', 'No such key.');
  ctx.agentKeys.forget(params.key_id);
  return { message: 'Key revoked.', keyId: params.key_id };
}
