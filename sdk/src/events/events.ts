import { ConcoursError } from '../errors.ts';
import { messagesOf } from './event-stream.ts';
import { pause, type Service } from '../service.ts';

/** Which events to read. */
export type EventsOptions<Type extends string = string> = {
  /** Starts after this event: its `id`; or `now`. Default: the oldest event that the service keeps. */
  after?: string;
  /** Default: all types. */
  types?: Type[];
  /** Waits for new events, and never ends by itself. Default: true. */
  follow?: boolean;
  /**
   * Called if events after the last one may be missing: the service removed them because of their age, or no longer knows the
   * last one, for example after a restored backup. The oldest events that it keeps follow, and can have come before.
   */
  onGap?: () => void;
  signal?: AbortSignal;
};

type Page<E> = { events: E[]; cursor: string; has_more: boolean; truncated: boolean };

/** Shorter than the 30 s that the service offers, so that proxies do not end the request first. */
const WAIT_SECONDS = 25;
const PAGE = 100;
const EMPTY_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const MOST_SILENT = 2;
/**
 * Statuses of a restart or a failover, after which the stream is tried again. 504 is another case: a proxy waits for the
 * end of the stream, so this client polls instead.
 */
const UNAVAILABLE = new Set([500, 502, 503]);

/**
 * Yields the events in order, each once unless there was a gap. It listens to the stream of the service, and resumes it
 * after the last event when the connection breaks. Without a stream, it uses long polling.
 */
export async function* readEvents<E extends { id: string }>(
  service: Service,
  path: string,
  options: EventsOptions = {},
): AsyncGenerator<E, void, undefined> {
  const { follow = true, types, onGap, signal } = options;
  let after = options.after;
  const readPage = async function* (wait?: number): AsyncGenerator<E, boolean, undefined> {
    const query = { after, types: types?.join(','), limit: PAGE, wait };
    const { events, cursor, has_more, truncated } = await service.call<Page<E>>('GET', path, { query, signal });
    if (truncated) onGap?.();
    after = cursor;
    yield* events;
    // The service has waited, unless it is too busy for that.
    if (wait && events.length === 0) await pause(EMPTY_PAUSE_MS, signal);
    return has_more;
  };
  let streams = true;
  const listen = async function* () {
    const stream = await openStream(service, path, { after, types, signal });
    streams = stream !== null;
    if (stream?.truncated) onGap?.();
    for await (const event of eventsOf<E>(stream)) {
      after = event?.id ?? after;
      yield event;
    }
  };
  // A cursor resumes exactly, also if the connection breaks before the first event.
  for (let hasMore = true; hasMore;) hasMore = yield* readPage();
  if (!follow) return;
  // `silent` counts streams in a row without any message: a proxy may hold them back until they end.
  for (let fails = 0, silent = 0; ;) {
    try {
      if (silent > 0) yield* readPage(streams ? undefined : WAIT_SECONDS);
      if (!streams) continue;
      silent += 1;
      for await (const event of listen()) {
        [fails, silent] = [0, 0];
        if (event) yield event;
      }
    } catch (error) {
      service.throwIfAborted(signal);
      if (!isBroken(error)) throw error;
    }
    fails += 1;
    streams &&= silent < MOST_SILENT;
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 250 * 2 ** fails), signal);
  }
}

const isBroken = (error: unknown) => error instanceof ConcoursError && error.code === 'NO_ANSWER';

/** Yields null for a heartbeat. */
async function* eventsOf<E>(stream: EventStream | null): AsyncGenerator<E | null, void, undefined> {
  if (stream) for await (const data of messagesOf(stream.body)) yield data === '' ? null : (JSON.parse(data) as E);
}

type EventStream = { body: ReadableStream<Uint8Array>; truncated: boolean };
type StreamOptions = { after: string | undefined; types: string[] | undefined; signal: AbortSignal | undefined };

/**
 * Null if there is no stream for this client: the service, or a proxy, answers with a page, or allows no further one.
 *
 * @throws ConcoursError NO_ANSWER if the service cannot answer now
 */
async function openStream(
  service: Service,
  path: string,
  { after, types, signal }: StreamOptions,
): Promise<EventStream | null> {
  const headers = {
    accept: 'text/event-stream',
    ...(after === undefined ? {} : { 'last-event-id': after }),
  };
  const response = await service.open(path, { query: { types: types?.join(',') }, headers, signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const truncated = response.headers.get('x-events-truncated') === 'true';
  if (response.ok && isStream && response.body) return { body: response.body, truncated };
  await response.body?.cancel();
  if (UNAVAILABLE.has(response.status)) throw new ConcoursError('NO_ANSWER', `The stream answered ${response.status}.`);
  return null;
}
