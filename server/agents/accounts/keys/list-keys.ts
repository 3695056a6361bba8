import type { keyOperations } from '../../../../contract/agents/keys.ts';
import type { Input, Output } from '../../../../contract/basics/operation.ts';
import type { Context } from '../../../deps.ts';
import { listKeysOf } from '../public.ts';
import type { AgentCaller } from '../../../ports/callers.ts';

type Operation = typeof keyOperations.listKeys;

/** Lists the agent's own keys, newest first, with the expired and revoked keys that are still stored. */
export async function listKeys(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const keys = await listKeysOf(ctx.db, ctx.caller.agentId);
  const now = ctx.clock.now();
  // This request counts as a use. The table stores it some seconds later.
  return {
    keys: keys.map((key) =>
      key.id === ctx.caller.keyId ? { ...key, lastUsedAt: now, current: true } : { ...key, current: false },
    ),
  };
}
