import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Context } from '../../deps.ts';
import type { Caller } from '../../ports/callers.ts';
import type { ParsedInput, Route } from '../../serve.ts';
import { type HttpAnswer, plainHeaders } from '../answers/public.ts';
import type { EventStreams, StillAllowed } from './event-streams.ts';

const SESSION_MS = 60_000;
const KEY_MS = 600_000;

/** A browser's session can end at any time. The end of a key is an event, except for that of a replaced key. */
function askEveryMs(caller: Caller): number {
  const hasSession = (caller.kind === 'agent' || caller.kind === 'poster') && caller.sessionId !== undefined;
  return hasSession ? SESSION_MS : KEY_MS;
}

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
  const stillAllowed: StillAllowed = { everyMs: askEveryMs(ctx.caller), ask: () => isStill(identify) };
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
  };
}

async function isStill(identify: () => Promise<Caller>): Promise<boolean> {
  try {
    const caller = await identify();
    return caller.kind !== 'agent' || caller.status !== 'suspended';
  } catch (error) {
    if (error instanceof DomainError && error.status === 401) return false;
    throw error;
  }
}
