import type { agentSessionOperations } from '../../../contract/agents/sessions.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { signOut } from '../../keys/public.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof agentSessionOperations.deleteAgentSession;

export async function deleteAgentSession(
  ctx: Context<AgentCaller>,
  { query: { everywhere } }: Input<Operation>,
): Promise<Output<Operation>> {
  return await signOut(ctx, { kind: 'agent', accountId: ctx.caller.agentId }, { everywhere, most: 'owner' });
}
