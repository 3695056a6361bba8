import { DomainError } from '../../contract/errors.ts';
import type { Output } from '../../contract/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { findPoster, findSession } from './session-queries.ts';
import { shownPoster } from './session-view.ts';
import type { PosterCaller } from '../ports/callers.ts';

/** Who asks, by session or by key. */
export async function getSession(ctx: Context<PosterCaller>): Promise<Output<typeof sessionOperations.getSession>> {
  const { posterId, sessionId } = ctx.caller;
  const [poster, session] = await Promise.all([
    findPoster(ctx.db, posterId),
    sessionId === undefined ? null : findSession(ctx.db, sessionId),
  ]);
  // Ended while this request was under way.
  if (!poster || (sessionId !== undefined && !session))
    throw new DomainError('UNAUTHORIZED', 'Authentication required');
  return shownPoster(poster, session);
}
