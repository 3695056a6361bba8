import type { Output } from '../../contract/basics/operation.ts';
import type { eventOperations } from '../../contract/events/events.ts';
import type { Context } from '../deps.ts';
import type { LiveEvent } from './types.ts';
import { type After, encodeSeq, parseAfter } from './cursor.ts';
import { type EventPage, eventsAfter, takesMarket } from './events-after.ts';
import { listenerOf } from './open-stream.ts';
import { countReader } from './open-readers.ts';
import { accountStreamOf, type EventReader } from './streams.ts';

/** A page as the contract shows it. */
type Page = Output<(typeof eventOperations)['listAgentEvents']>;
type Query = { after?: string | undefined; types?: string[] | undefined; limit: number; wait: number };

/** Returns a page of the caller's events. With `wait`, waits for the first one if there is none. */
export async function listEvents(ctx: Context<EventReader>, { query }: { query: Query }): Promise<Page> {
  const { types = null, limit, wait } = query;
  const read = (after: After) => eventsAfter(ctx, { reader: ctx.caller, after, types, limit });
  const after = parseAfter(query.after);
  let page = (wait > 0 && recentPage(ctx, { after, types, limit })) || (await read(after));
  if (wait === 0 || isFull(page)) return render(page);
  const release = countReader(ctx.eventHub, ctx.caller, 'wait');
  const { truncated } = page;
  try {
    const until = performance.now() + wait * 1000;
    while (!isFull(page)) {
      const news = await nextEvents(ctx, { page, types, ms: until - performance.now() });
      page = news === 'behind' ? await read({ seq: page.seq }) : pageAfter(page, news, limit);
      if (news !== 'behind') break;
    }
  } finally {
    release();
  }
  return render({ ...page, truncated });
}

const isFull = ({ events, hasMore }: EventPage): boolean => events.length > 0 || hasMore;

/** Returns a page from the memory of the hub: most requests that wait continue where their predecessor ended. */
function recentPage(
  { eventHub, caller: reader }: Context<EventReader>,
  { after, types, limit }: { after: After; types: readonly string[] | null; limit: number },
): EventPage | null {
  if (typeof after === 'string' || !('seq' in after)) return null;
  const account = accountStreamOf(reader);
  const market = takesMarket(reader, types);
  const recent = eventHub.recent({ account, market, types: types && new Set(types) }, after.seq);
  if (!recent) return null;
  return pageAfter({ ...emptyPage, eliteFrom: recent.eliteFrom }, recent, limit);
}

const emptyPage = { events: [], hasMore: false, truncated: false };

/** The events after a page. They are complete up to the number `seq`. */
type News = { events: LiveEvent[]; seq: number };

function pageAfter(
  { eliteFrom, truncated }: Pick<EventPage, 'eliteFrom' | 'truncated'>,
  news: News,
  limit: number,
): EventPage {
  const hasMore = news.events.length > limit;
  const events = news.events.slice(0, limit);
  const seq = hasMore ? (events.at(-1)?.seq ?? news.seq) : news.seq;
  return { events, seq, cursor: encodeSeq(seq), hasMore, truncated, eliteFrom };
}

/**
 * Waits for events after the page. Returns none if the time is over, the client has left, or the process ends. `behind`:
 * the hub has read further, so the log has more by now.
 */
async function nextEvents(
  { eventHub, caller: reader, disconnected }: Context<EventReader>,
  { page, types, ms }: { page: EventPage; types: readonly string[] | null; ms: number },
): Promise<News | 'behind'> {
  const none = { events: [], seq: page.seq };
  if (ms <= 0 || disconnected?.aborted || eventHub.isStopping) return none;
  const { promise, resolve } = Promise.withResolvers<void>();
  // The events of one tick arrive together.
  const events: LiveEvent[] = [];
  const take = (event: LiveEvent) => {
    events.push(event);
    resolve();
  };
  const listener = listenerOf({ reader, types, page }, { take, end: resolve });
  const timer = setTimeout(resolve, ms);
  const leave = () => resolve();
  disconnected?.addEventListener('abort', leave);
  try {
    if (!eventHub.join(listener)) return 'behind';
    await promise;
    // The hub has handed over everything up to its position. So the next request continues there, without a query.
    return { events, seq: Math.max(page.seq, eventHub.position) };
  } finally {
    clearTimeout(timer);
    disconnected?.removeEventListener('abort', leave);
    eventHub.leave(listener);
  }
}

function render({ events, cursor, hasMore, truncated }: EventPage): Page {
  return {
    events: events.map(({ id, type, occurredAt, data }) => ({
      id,
      type,
      occurred_at: occurredAt.toISOString(),
      data: JSON.parse(data) as Record<string, unknown>,
    })),
    cursor,
    has_more: hasMore,
    truncated,
  };
}
