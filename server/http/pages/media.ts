import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext, Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { createPictureMemory } from '../../pictures/public.ts';
import { plainHeaders, type WithDeadline } from '../answers/public.ts';
import type { CopyVariant, PictureMemory } from '../../ports/pictures.ts';

type Env = { Bindings: HttpBindings };
type Parts = Pick<Deps, 'clock' | 'mediaUrls' | 'publicCopies'>;

// Memory for all pictures that are being sent, and the usual size of one; the largest are a few times that size.
const ROOM_BYTES = 128 * 1024 * 1024;
const USUAL_BYTES: Record<CopyVariant, number> = { image: 1024 * 1024, thumbnail: 64 * 1024 };
const CHUNK_BYTES = 64 * 1024;
// A client that reads a picture more slowly is disconnected.
const SEND_MS = 60_000;

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
    // For HEAD, Hono discards the body without reading or cancelling it, so its memory would stay reserved.
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    return await withDeadline(send(parts, room, { mediaFileId, variant, headers }), false);
  });
}

function verified({ mediaUrls }: Parts, c: HonoContext<Env>) {
  const { mediaFileId = '', variant = '' } = c.req.param();
  const { searchParams } = new URL(c.req.raw.url);
  const expires = searchParams.get('expires') ?? '';
  const signature = searchParams.get('signature') ?? '';
  const expiresAt = mediaUrls.verify({ mediaFileId, variant, expires, signature });
  // The signature proves that it is one of the two variants.
  return { expiresAt, mediaFileId, variant: variant as CopyVariant };
}

type Copy = { mediaFileId: string; variant: CopyVariant; headers: Record<string, string> };

/** Answers as soon as the copy is read, and frees its memory when the body has been sent. */
function send(
  { publicCopies }: Parts,
  room: PictureMemory,
  { mediaFileId, variant, headers }: Copy,
): Promise<Response> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
  const held = room.hold(USUAL_BYTES[variant], async () => {
    const body = await publicCopies.read(mediaFileId, variant);
    if (!body) throw new DomainError('NOT_FOUND', 'No such picture.');
    const { stream, sent } = inChunks(body);
    resolve(new Response(stream, { headers: { ...headers, 'Content-Length': String(body.length) } }));
    await sent;
  });
  held.catch(reject);
  return answer;
}

/** Streams a body. `sent` resolves when the stream has ended, in whatever way. */
function inChunks(body: Buffer): { stream: ReadableStream<Uint8Array>; sent: Promise<void> } {
  const { promise: sent, resolve: finish } = Promise.withResolvers<void>();
  let at = 0;
  let timer: NodeJS.Timeout;
  const end = () => {
    clearTimeout(timer);
    finish();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setTimeout(() => {
          controller.error(new Error('the picture was read too slowly'));
          finish();
        }, SEND_MS).unref();
      },
      pull(controller) {
        controller.enqueue(body.subarray(at, at + CHUNK_BYTES));
        at += CHUNK_BYTES;
        if (at < body.length) return;
        controller.close();
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return { stream, sent };
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));
}
