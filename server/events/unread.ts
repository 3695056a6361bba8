import type { Input, Output } from '../../contract/basics/operation.ts';
import type { unreadOperations } from '../../contract/events/unread.ts';
import type { Context } from '../deps.ts';
import { encodeSeq, parseAfter, invalidPosition } from './cursor.ts';
import { findHead } from './queries.ts';
import { accountStreamOf, type EventReader } from './streams.ts';
import { countUnread, findSeen, saveSeen } from './unread-queries.ts';

type Unread = Output<typeof unreadOperations.getPosterUnread>;
type Mark = Input<typeof unreadOperations.markPosterEventsSeen>;

/** Counts the events of the caller's own account after the last seen one. Those of the market do not count. */
export async function getUnread({ db, caller }: Context<EventReader>): Promise<Unread> {
  const stream = accountStreamOf(caller);
  const seen = await findSeen(db, stream);
  return { unread: await countUnread(db, stream, seen ?? 0), seen: seen === null ? null : encodeSeq(seen) };
}

/**
 * Marks the caller's events as seen, up to a cursor. The mark never moves back, so two open pages do no harm.
 *
 * @throws DomainError INVALID_PARAMETER
 */
export async function markSeen(ctx: Context<EventReader>, { body }: Pick<Mark, 'body'>): Promise<Unread> {
  const { db, clock, caller } = ctx;
  const at = parseAfter(body.cursor, 'cursor');
  if (at !== 'now' && (at === 'oldest' || 'id' in at)) throw invalidPosition('cursor');
  const { last } = await findHead(db);
  // A cursor above the head is of a time before a restore. Events that are to come are not seen.
  const seq = at === 'now' ? last : Math.min(at.seq, last);
  await saveSeen(db, accountStreamOf(caller), { seq, at: clock.now() });
  return await getUnread(ctx);
}
