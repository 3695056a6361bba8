import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorSessionOperations } from '../../../contract/operator/sessions.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { recordEnds } from '../../events/public.ts';
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
  const { sessionId } = ctx.caller;
  const only = query.everywhere ? null : (sessionId ?? null);
  const now = ctx.clock.now();
  const ended = await withTransaction(ctx.db, async (tx) => {
    const ids = await endSessions(tx, { only, now });
    await recordEnds(ctx, tx, now, { account: 'operator', ids });
    return ids;
  });
  for (const id of ended) ctx.operatorSessions.forget(id);
  return { message: 'Signed out.', ended: ended.length };
}
