import type { Context, Deps } from '../deps.ts';
import type { EventListener } from './types.ts';
import { type After, parseAfter } from './cursor.ts';
import { eventFrame } from './event-json.ts';
import { type EventPage, eventsAfter, takesMarket } from './events-after.ts';
import { countReader } from './open-readers.ts';
import { accountStreamOf, type EventReader } from './streams.ts';
import type { EventSource, StreamSink } from '../serve.ts';

/** How many events of the past one query reads. */
const PAGE = 100;

type StreamDeps = Pick<Deps, 'reads' | 'config' | 'eventHub' | 'log'>;
type Query = { after?: string | undefined; types?: string[] | undefined };

/**
 * Opens the caller's events as a stream: first the ones after the given position, then each new one. Reads the first page
 * before it returns, so that a wrong position is an ordinary error.
 */
export async function openStream(
  { reads, config, eventHub, log, caller: reader }: Context<EventReader>,
  { query }: { query: Query },
): Promise<EventSource> {
  // The stream lives long, so it keeps no more of the request than it needs.
  const deps: StreamDeps = { reads, config, eventHub, log };
  const release = countReader(eventHub, reader, 'stream');
  const types = query.types ?? null;
  try {
    const first = await readFrom(deps, { reader, types }, parseAfter(query.after));
    return {
      truncated: first.truncated,
      start: (sink) => startStream(deps, { reader, types, first, sink, release }),
      cancel: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

type Wanted = { reader: EventReader; types: readonly string[] | null };

async function readFrom(deps: StreamDeps, wanted: Wanted, after: After): Promise<EventPage> {
  return await eventsAfter(deps, { ...wanted, after, limit: PAGE });
}

/** Sends the past, then joins the hub. Returns a function that ends the stream. */
function startStream(
  deps: StreamDeps,
  { reader, types, first, sink, release }: Wanted & { first: EventPage; sink: StreamSink; release: () => void },
): () => void {
  const { eventHub, log } = deps;
  let isOpen = true;
  const stop = () => {
    isOpen = false;
    eventHub.leave(listener);
    release();
  };
  const listener = listenerOf(
    { reader, types, page: first },
    {
      take: (_event, frame) => sink.push(frame()),
      end: () => sink.close(),
    },
  );
  const catchUp = async () => {
    for (let page = first; ; page = await readFrom(deps, { reader, types }, { seq: page.seq })) {
      for (const event of page.events) sink.write(eventFrame(event));
      if (page.events.length > 0 && !(await sink.drained())) return;
      if (!isOpen) return;
      listener.seq = page.seq;
      listener.eliteFrom = page.eliteFrom;
      if (!page.hasMore && eventHub.join(listener)) return;
    }
  };
  catchUp().catch((error: unknown) => {
    log.warn({ err: error }, 'an event stream ends early; its reader resumes');
    sink.close();
  });
  return stop;
}

/** Returns a listener that continues after a page. */
export function listenerOf(
  { reader, types, page }: Wanted & { page: EventPage },
  handlers: Pick<EventListener, 'take' | 'end'>,
): EventListener {
  return {
    account: accountStreamOf(reader),
    keyId: reader.kind === 'operator' ? null : reader.keyId,
    endsWith: reader.sessionId === undefined ? [] : [reader.sessionId],
    market: takesMarket(reader, types),
    types: types === null ? null : new Set(types),
    seq: page.seq,
    eliteFrom: page.eliteFrom,
    ...handlers,
  };
}
