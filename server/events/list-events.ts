import { JsonText } from '../serve.ts';
import type { Context } from '../deps.ts';
import { type After, parseAfter } from './cursor.ts';
import { eventJson } from './event-json.ts';
import { type EventPage, eventsAfter } from './events-after.ts';
import { listenerOf } from './open-stream.ts';
import { takePlace } from './places.ts';
import type { EventReader } from './streams.ts';

type Query = { after?: string | undefined; types?: string[] | undefined; limit: number; wait: number };

/** Returns a page of the caller's events. With `wait`, waits for the first one if there is none. */
export async function listEvents(ctx: Context<EventReader>, { query }: { query: Query }): Promise<JsonText> {
  const { types = null, limit, wait } = query;
  const read = (after: After) => eventsAfter(ctx, { reader: ctx.caller, after, types, limit });
  let page = await read(parseAfter(query.after));
  if (wait === 0 || isFull(page)) return render(page);
  const release = takePlace(ctx.eventHub, ctx.caller, 'wait');
  const { truncated } = page;
  try {
    const until = performance.now() + wait * 1000;
    while (!isFull(page) && (await untilEvent(ctx, { page, types, ms: until - performance.now() })))
      page = await read({ seq: page.seq });
  } finally {
    release();
  }
  return render({ ...page, truncated });
}

const isFull = ({ events, hasMore }: EventPage): boolean => events.length > 0 || hasMore;

/** Waits for an event after the page. Returns false when the time is over, the client has left, or the process ends. */
async function untilEvent(
  { eventHub, caller: reader, disconnected }: Context<EventReader>,
  { page, types, ms }: { page: EventPage; types: readonly string[] | null; ms: number },
): Promise<boolean> {
  if (ms <= 0 || disconnected?.aborted || eventHub.isStopping) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listener = listenerOf({ reader, types, page }, { take: () => resolve(true), end: () => resolve(false) });
  const timer = setTimeout(() => resolve(false), ms);
  const leave = () => resolve(false);
  disconnected?.addEventListener('abort', leave);
  try {
    // The hub has read further, so the log has more by now.
    if (!eventHub.join(listener)) return true;
    return await promise;
  } finally {
    clearTimeout(timer);
    disconnected?.removeEventListener('abort', leave);
    eventHub.leave(listener);
  }
}

function render({ events, cursor, hasMore, truncated }: EventPage): JsonText {
  const list = events.map(eventJson).join(',');
  return new JsonText(
    `{"events":[${list}],"cursor":${JSON.stringify(cursor)},"has_more":${hasMore},"truncated":${truncated}}`,
  );
}
