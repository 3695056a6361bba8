import type { agentSessionOperations } from '../../../contract/agents/sessions.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { recordEnds } from '../../events/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { endSessions } from './session-queries.ts';

type Operation = typeof agentSessionOperations.deleteAgentSession;

/**
 * Ends the session of the request. With `everywhere`, or with a key, it ends every session of the agent. A caller
 * without the scope `owner` ends only the sessions of its own key. Other processes reject an ended session within a
 * second.
 */
export async function deleteAgentSession(
  ctx: Context<AgentCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId, sessionId, keyId, scope } = ctx.caller;
  const only = query.everywhere ? null : (sessionId ?? null);
  // A lesser key must not sign the owner out.
  const ofKey = scope === 'owner' ? null : keyId;
  const now = ctx.clock.now();
  const ended = await withTransaction(ctx.db, async (tx) => {
    const ids = await endSessions(tx, { agentId, only, ofKey, now });
    await recordEnds(ctx, tx, now, { account: `agent:${agentId}`, ids });
    return ids;
  });
  for (const id of ended) ctx.agentSessions.forget(id);
  return { message: 'Signed out.', ended: ended.length };
}
