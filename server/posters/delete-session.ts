import type { Input, Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { endSessions } from './session-queries.ts';
import type { PosterCaller } from '../ports/callers.ts';

type Operation = typeof sessionOperations.deleteSession;

/**
 * Ends the current session, or all sessions of the poster. Other processes reject an ended session within one second.
 */
export async function deleteSession(
  ctx: Context<PosterCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { posterId, sessionId } = ctx.caller;
  const only = query.everywhere ? null : (sessionId ?? null);
  const ended = await endSessions(ctx.db, { posterId, only, now: ctx.clock.now() });
  for (const id of ended) ctx.posterSessions.forget(id);
  return { message: 'Signed out.', ended: ended.length };
}
