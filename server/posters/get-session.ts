import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { findSession } from '../keys/public.ts';
import { findPoster } from './session-queries.ts';
import { findSuspension } from './suspension-queries.ts';
import { sessionView } from './session-view.ts';
import type { PosterCaller } from '../callers.ts';

/** Returns the signed-in poster, and the session if the request used one. */
export async function getSession(ctx: Context<PosterCaller>): Promise<Output<typeof sessionOperations.getSession>> {
  const { posterId, sessionId, scope } = ctx.caller;
  const [poster, session, suspension] = await Promise.all([
    findPoster(ctx.db, posterId),
    sessionId === undefined ? null : findSession(ctx.db, 'poster', sessionId),
    findSuspension(ctx.db, posterId, { forShare: false }),
  ]);
  // The session ended while this request was in progress.
  if (!poster || (sessionId !== undefined && !session))
    throw new DomainError('UNAUTHORIZED', 'Authentication required');
  return sessionView({ poster, scope, session, suspension });
}

type Renaming = typeof sessionOperations.renamePoster;

/** Changes the public name of the caller. */
export async function renamePoster(ctx: Context<PosterCaller>, { body }: Input<Renaming>): Promise<Output<Renaming>> {
  await ctx.db`update posters set name = ${body.poster_name} where id = ${ctx.caller.posterId}`;
  return await getSession(ctx);
}
