import type { IncomingMessage } from 'node:http';
import type { Context } from '../../deps.ts';
import type { Caller } from '../../callers.ts';
import type { ParsedInput, Route } from '../../serve.ts';
import { type HttpAnswer, plainHeaders } from '../answers/responses.ts';
import type { EventStreams } from './event-streams.ts';
import { stillAllowedOf } from './still-allowed.ts';

/** Returns whether the request asks for a stream of an operation that has one. */
export function wantsStream(
  { options }: Route,
  { incoming, headers }: { incoming: IncomingMessage; headers: Pick<Headers, 'get'> },
): boolean {
  // The router also answers HEAD, to which a stream would never end.
  return (
    options.stream !== undefined &&
    incoming.method === 'GET' &&
    /\btext\/event-stream\b/i.test(headers.get('accept') ?? '')
  );
}

type Opening = {
  route: Route;
  ctx: Context;
  input: ParsedInput;
  /** The request's `Last-Event-ID`: a client that connects again says after which event. */
  lastEventId: string | null;
  headers: Record<string, string>;
  /** Identifies the caller of the request again. */
  identify: () => Promise<Caller>;
};

/** Opens a stream, and returns the answer that sends it. */
export async function openEventStream(
  streams: EventStreams,
  { route, ctx, input, lastEventId, headers, identify }: Opening,
): Promise<HttpAnswer> {
  if (!route.options.stream) throw new RangeError(`${route.spec.id} has no stream`);
  const query = { ...(input.query as object), ...(lastEventId === null ? {} : { after: lastEventId }) };
  const source = await route.options.stream(ctx, { ...input, query });
  const stillAllowed = stillAllowedOf(route.spec, identify, ctx.clock);
  return {
    status: 200,
    headers: {
      ...plainHeaders,
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Otherwise nginx keeps events back until its buffer is full.
      'X-Accel-Buffering': 'no',
      'X-Events-Truncated': String(source.truncated),
    },
    body: '',
    stream: (outgoing) => streams.send(outgoing, source, stillAllowed),
    cancel: () => source.cancel(),
  };
}
