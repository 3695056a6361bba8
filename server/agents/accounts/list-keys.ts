import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { listKeysOf } from './queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof agentOperations.listKeys;

/** Lists the agent's own keys, newest first, with the expired and revoked keys that are still stored. */
export async function listKeys(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const keys = await listKeysOf(ctx.db, ctx.caller.agentId);
  return { keys: keys.map((key) => ({ ...key, current: key.id === ctx.caller.keyId })) };
}
