import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../../contract/operator/sessions.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { endSessions } from './session-queries.ts';

type Operation = typeof operatorSessionOperations.deleteOperatorSession;

/**
 * Ends the session of the request. With `everywhere`, or with a key, it ends every session of the operator. Other
 * processes reject an ended session within a second.
 */
export async function deleteOperatorSession(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { operatorId, sessionId } = ctx.caller;
  const only = query.everywhere ? null : (sessionId ?? null);
  const ended = await endSessions(ctx.db, { operatorId, only, now: ctx.clock.now() });
  for (const id of ended) ctx.operatorSessions.forget(id);
  return { message: 'Signed out.', ended: ended.length };
}
