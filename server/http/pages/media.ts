import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext, Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { createPictureMemory } from '../../pictures/public.ts';
import { plainHeaders } from '../answers/responses.ts';
import type { WithDeadline } from '../answers/deadline.ts';
import type { CopyVariant, PictureMemory } from '../../pictures/types.ts';
import { type ResponseConnection, connectionOf, sendParts } from './sending.ts';

type Env = { Bindings: HttpBindings };
type Parts = Pick<Deps, 'clock' | 'mediaUrls' | 'publicCopies'>;

// Memory for all pictures that are being sent, and the usual size of one; the largest are a few times that size.
const ROOM_BYTES = 128 * 1024 * 1024;
const USUAL_BYTES: Record<CopyVariant, number> = {
  'plain-image': 1024 * 1024,
  'marked-image': 1024 * 1024,
  'plain-thumbnail': 64 * 1024,
};
// A client that takes longer for a whole picture is disconnected.
const WHOLE_IN_A_MINUTE = { windowMs: 60_000, leastBytes: Infinity };

/** Serves the copies of pictures to every client with a valid signed URL. */
export function mountMedia(app: Hono<Env>, parts: Parts, withDeadline: WithDeadline): void {
  const room = createPictureMemory({ roomBytes: ROOM_BYTES });
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
    return await withDeadline(send(parts, room, { mediaFileId, variant, headers }, connectionOf(c)), false);
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

/** Answers as soon as the copy is read, and frees its memory when the body has been sent. */
function send(
  { publicCopies }: Parts,
  room: PictureMemory,
  { mediaFileId, variant, headers }: Copy,
  connection: ResponseConnection,
): Promise<Response> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
  const held = room.hold(USUAL_BYTES[variant], async () => {
    const body = await publicCopies.read(mediaFileId, variant);
    if (!body) throw new DomainError('NOT_FOUND', 'No such picture.');
    const { stream, ended } = sendParts([body], WHOLE_IN_A_MINUTE, connection);
    resolve(new Response(stream, { headers: { ...headers, 'Content-Length': String(body.length) } }));
    await ended;
  });
  held.catch(reject);
  return answer;
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));
}
