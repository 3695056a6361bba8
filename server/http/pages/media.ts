import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext, Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { createFairQueue } from '../../pictures/public.ts';
import { limitKey } from '../../addresses.ts';
import { unavailable } from '../answers/errors.ts';
import { whileWaitedFor } from '../answers/watch-connection.ts';
import { plainHeaders } from '../answers/responses.ts';
import type { WithDeadline } from '../answers/deadline.ts';
import type { CopyVariant, FairQueue } from '../../pictures/types.ts';
import { type ResponseConnection, connectionOf, sendParts } from './sending.ts';

type Env = { Bindings: HttpBindings };
type Parts = Pick<Deps, 'clock' | 'mediaUrls' | 'publicCopies'> & {
  readAddress: (peer: string, forwardedFor: string | undefined) => string;
};

// Most pictures have less than 1 MB, and the largest a few of them. A browser asks for many at once, and gets each quickly.
const TURNS = 128;
const TURNS_OF_ADDRESS = 16;
// A waiting request holds no bytes.
const WAITING = { maxWaiting: 2_000, maxWaitingOfAgent: 200 };
// A client that takes longer for a whole picture is disconnected.
const WHOLE_IN_A_MINUTE = { windowMs: 60_000, leastBytes: Infinity };

/** Serves the copies of pictures to every client with a valid signed URL. */
export function mountMedia(app: Hono<Env>, parts: Parts, withDeadline: WithDeadline): void {
  const turns = createFairQueue({ turns: TURNS, turnsOfAgent: TURNS_OF_ADDRESS, ...WAITING });
  app.get('/media/:mediaFileId/:variant', async (c) => {
    const { expiresAt, mediaFileId, variant } = verified(parts, c);
    const headers = {
      ...plainHeaders,
      'Content-Type': 'image/webp',
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': `private, max-age=${secondsUntil(expiresAt, parts.clock.now())}, immutable`,
      // Pages of this service may be on another host of the same site.
      'Cross-Origin-Resource-Policy': 'same-site',
    };
    // For HEAD, Hono discards the body without reading or canceling it, so its memory would stay reserved.
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    const { incoming } = c.env;
    const peer = parts.readAddress(incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'));
    const client = { address: limitKey(peer), connection: connectionOf(c) };
    return await whileWaitedFor(incoming, (left) =>
      withDeadline(send(parts, turns, { mediaFileId, variant, headers }, { ...client, left }), false),
    );
  });
}

function verified({ mediaUrls }: Parts, c: HonoContext<Env>) {
  const { mediaFileId = '', variant = '' } = c.req.param();
  const { searchParams } = new URL(c.req.raw.url);
  const expires = searchParams.get('expires') ?? '';
  const signature = searchParams.get('signature') ?? '';
  return { mediaFileId, ...mediaUrls.verify({ mediaFileId, variant, expires, signature }) };
}

type Copy = { mediaFileId: string; variant: CopyVariant; headers: Record<string, string> };

type Client = { address: string; connection: ResponseConnection; left: AbortSignal };

/** Answers as soon as the copy is read, and ends the turn of the address when the body has been sent. */
function send(
  { publicCopies }: Parts,
  turns: FairQueue,
  { mediaFileId, variant, headers }: Copy,
  { address, connection, left }: Client,
): Promise<Response> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
  const inTurn = turns.run(
    address,
    async () => {
      const body = await publicCopies.read(mediaFileId, variant);
      left.throwIfAborted();
      if (!body) throw new DomainError('NOT_FOUND', 'No such picture.');
      const { stream, ended } = sendParts([body], WHOLE_IN_A_MINUTE, connection);
      resolve(new Response(stream, { headers: { ...headers, 'Content-Length': String(body.length) } }));
      await ended;
    },
    left,
  );
  inTurn.catch((error: unknown) => reject(left.aborted ? unavailable('The client left.') : error));
  return answer;
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));
}
