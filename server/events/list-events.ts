import { JsonText } from '../serve.ts';
import type { Context } from '../deps.ts';
import type { LiveEvent } from '../ports/events.ts';
import { type After, encodeSeq, parseAfter } from './cursor.ts';
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
    while (!isFull(page)) {
      const news = await nextEvents(ctx, { page, types, ms: until - performance.now() });
      if (news === 'ended') break;
      page = news === 'behind' ? await read({ seq: page.seq }) : pageAfter(page, news, limit);
    }
  } finally {
    release();
  }
  return render({ ...page, truncated });
}

const isFull = ({ events, hasMore }: EventPage): boolean => events.length > 0 || hasMore;

/** Returns the page of new events. The hub hands a listener every event after its page, so no query is needed. */
function pageAfter(page: EventPage, news: LiveEvent[], limit: number): EventPage {
  const events = news.slice(0, limit);
  const seq = events.at(-1)?.seq ?? page.seq;
  return { ...page, events, seq, cursor: encodeSeq(seq), hasMore: news.length > limit };
}

/**
 * Waits for events after the page. `ended`: the time is over, the client has left, or the process ends. `behind`: the hub
 * has read further, so the log has more by now.
 */
async function nextEvents(
  { eventHub, caller: reader, disconnected }: Context<EventReader>,
  { page, types, ms }: { page: EventPage; types: readonly string[] | null; ms: number },
): Promise<LiveEvent[] | 'ended' | 'behind'> {
  if (ms <= 0 || disconnected?.aborted || eventHub.isStopping) return 'ended';
  const { promise, resolve } = Promise.withResolvers<'ended' | 'arrived'>();
  // The events of one tick arrive together.
  const news: LiveEvent[] = [];
  const take = (event: LiveEvent) => {
    news.push(event);
    resolve('arrived');
  };
  const end = () => resolve('ended');
  const listener = listenerOf({ reader, types, page }, { take, end });
  const timer = setTimeout(end, ms);
  disconnected?.addEventListener('abort', end);
  try {
    if (!eventHub.join(listener)) return 'behind';
    await promise;
    return news.length > 0 ? news : 'ended';
  } finally {
    clearTimeout(timer);
    disconnected?.removeEventListener('abort', end);
    eventHub.leave(listener);
  }
}

function render({ events, cursor, hasMore, truncated }: EventPage): JsonText {
  const list = events.map(eventJson).join(',');
  return new JsonText(
    `{"events":[${list}],"cursor":${JSON.stringify(cursor)},"has_more":${hasMore},"truncated":${truncated}}`,
  );
}
