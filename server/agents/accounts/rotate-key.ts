import type { agentOperations } from '../../../contract/agents/agents.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { issueKey, keyPrefix } from '../../keys/public.ts';
import { deleteEndedKeys, endGoodKey, endOldestKeys, insertKey } from './queries.ts';
import { lockExistingAgent } from './locks.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof agentOperations.rotateKey;

// A key in its grace period can rotate again. Without this limit, one key could create any number of keys.
const MAX_GOOD_KEYS = 5;
const ENDED_KEYS_REMEMBERED = 20;

/** Issues a new key. The key of this request expires after the grace period, or at its own earlier expiry. */
export async function rotateKey(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const { agentId, keyId } = ctx.caller;
  const { key, id, secretHash } = issueKey(keyPrefix('agent', ctx.network.testnet), ctx.randomBytes);
  const rotated = await withTransaction(ctx.db, async (tx) => {
    await lockExistingAgent(tx, agentId);
    // Read the time under the lock. If one key rotates twice at once without grace, the second rotation then finds the
    // key expired.
    const now = ctx.clock.now();
    const at = new Date(now.getTime() + body.grace_seconds * 1000);
    const previousEnd = await endGoodKey(tx, { id: keyId, agentId, at, now });
    if (!previousEnd) throw new DomainError('INVALID_API_KEY', 'Invalid API key');
    await insertKey(tx, { id, agentId, secretHash, now });
    const crowdedOut = await endOldestKeys(tx, { agentId, except: id, keep: MAX_GOOD_KEYS - 1, now });
    await deleteEndedKeys(tx, { agentId, keep: ENDED_KEYS_REMEMBERED, now });
    return { previousEnd, crowdedOut };
  });
  for (const ended of [keyId, ...rotated.crowdedOut]) ctx.agentKeys.forget(ended);
  return {
    message: 'Key rotated. Store the new API key now: it is shown only once.',
    keyId: id,
    apiKey: key,
    previousKeyExpiresAt: rotated.previousEnd,
  };
}
