import type { Input, Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { recordEnds } from '../events/public.ts';
import { endSessions } from './session-queries.ts';
import type { PosterCaller } from '../ports/callers.ts';

type Operation = typeof sessionOperations.deleteSession;

/**
 * Ends the session of the request. With `everywhere`, or with a key, it ends every session of the poster. A caller without the
 * scope `full` ends only the sessions of its own key. Other processes reject an ended session within one second.
 */
export async function deleteSession(
  ctx: Context<PosterCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { posterId, sessionId, keyId, scope } = ctx.caller;
  const only = query.everywhere ? null : (sessionId ?? null);
  // A lesser key must not sign the poster out.
  const ofKey = scope === 'full' ? null : keyId;
  const now = ctx.clock.now();
  const ended = await withTransaction(ctx.db, async (tx) => {
    const ids = await endSessions(tx, { posterId, only, ofKey, now });
    await recordEnds(ctx, tx, now, { account: `poster:${posterId}`, ids });
    return ids;
  });
  for (const id of ended) ctx.posterSessions.forget(id);
  return { message: 'Signed out.', ended: ended.length };
}
