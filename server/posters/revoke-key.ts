import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterKeyOperations } from '../../contract/poster-keys.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import type { PosterCaller } from '../ports/callers.ts';
import { endGoodKey, hasKey } from './key-queries.ts';
import { endSessions } from './session-queries.ts';

type Operation = typeof posterKeyOperations.revokePosterKey;

/**
 * Revokes one of the poster's own keys immediately, and ends the sessions that it started. Revoking a key twice succeeds.
 * Another poster's key gives the same NOT_FOUND as a key that does not exist.
 */
export async function revokeKey(ctx: Context<PosterCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  const { posterId } = ctx.caller;
  const { key_id: id } = params;
  const sessions = await withTransaction(ctx.db, async (tx) => {
    const now = ctx.clock.now();
    const label = await endGoodKey(tx, { id, posterId, now });
    if (label) {
      const data = { key_id: id, ...label, ends_at: now.toISOString() };
      await recordEvents(ctx, tx, now, [{ poster: posterId, type: 'KEY.REVOKED', data }]);
    } else if (!(await hasKey(tx, { id, posterId }))) throw new DomainError('NOT_FOUND', 'No such key.');
    return await endSessions(tx, { posterId, only: null, ofKey: id, now });
  });
  ctx.posterKeys.forget(id);
  for (const session of sessions) ctx.posterSessions.forget(session);
  return { message: 'Key revoked.', keyId: id };
}
