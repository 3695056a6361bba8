import { DomainError } from '../../../../contract/basics/errors.ts';
import type { keyOperations } from '../../../../contract/agents/keys.ts';
import type { Input, Output } from '../../../../contract/basics/operation.ts';
import type { Context } from '../../../deps.ts';
import { recordEvents } from '../../../events/public.ts';
import { runIdempotent } from '../../../idempotency/public.ts';
import { issueKey, keyPrefix } from '../../../keys/public.ts';
import type { AgentCaller } from '../../../ports/callers.ts';
import type { Tx } from '../../../ports/database.ts';
import { countLastingKeys, insertKey, lockExistingAgent } from '../public.ts';

type Operation = typeof keyOperations.createKey;

const MAX_LASTING_KEYS = 20;

/** Creates a further key. Its scope is at most that of the key of this request, which is `owner`. */
export async function createKey(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const { name, scope } = body;
  const { key, id, secretHash } = issueKey(keyPrefix('agent', ctx.network.testnet), ctx.randomBytes);
  return await runIdempotent(ctx, async (tx) => {
    await lockExistingAgent(tx, agentId);
    const now = ctx.clock.now();
    await insertKey(tx, { id, agentId, name, scope, secretHash, now });
    await requireKeyRoom(tx, agentId);
    const data = { key_id: id, name, scope };
    await recordEvents(ctx, tx, now, [{ agent: agentId, type: 'KEY.CREATED', data }]);
    return {
      message: 'Key created. Store the API key now: it is shown only once.',
      keyId: id,
      apiKey: key,
      name,
      scope,
    };
  });
}

/**
 * Checks the number of keys without an end, a new one included. The caller holds the agent's lock.
 *
 * @throws DomainError KEY_LIMIT_REACHED
 */
export async function requireKeyRoom(tx: Tx, agentId: string): Promise<void> {
  if ((await countLastingKeys(tx, agentId)) <= MAX_LASTING_KEYS) return;
  throw new DomainError(
    'KEY_LIMIT_REACHED',
    `An agent has at most ${MAX_LASTING_KEYS} keys without an end. Revoke one that is no longer used.`,
  );
}
