import type { keyOperations } from '../../../../contract/agents/keys.ts';
import { DomainError } from '../../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../../contract/basics/operation.ts';
import type { Context } from '../../../deps.ts';
import { withTransaction } from '../../../db/public.ts';
import { recordEvents } from '../../../events/public.ts';
import { endGoodKey, hasKey } from '../public.ts';
import { revoked } from './rotate-key.ts';
import type { AgentCaller } from '../../../ports/callers.ts';

type Operation = typeof keyOperations.revokeKey;

/**
 * Revokes one of the agent's own keys immediately. Revoking a key twice succeeds. Another agent's key gives the same
 * NOT_FOUND as a key that does not exist.
 */
export async function revokeKey(ctx: Context<AgentCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const key = { id: params.key_id, agentId };
  await withTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const ended = await endGoodKey(tx, { ...key, at: now, now });
    if (ended) await recordEvents(ctx, tx, now, [revoked(agentId, { id: key.id, ...ended }, now)]);
    else if (!(await hasKey(tx, key))) throw new DomainError('NOT_FOUND', 'No such key.');
  });
  ctx.agentKeys.forget(key.id);
  return { message: 'Key revoked.', keyId: key.id };
}
