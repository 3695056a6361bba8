import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Append } from './disk-objects.ts';
import type { UploadGrant } from './types.ts';

const pathPrefix = '/storage/uploads/';

type UploadDoorOptions = {
  publicUrl: string;
  signingKey: Buffer;
  clock: { now(): Date };
  idleTimeoutMs: number;
  overallTimeoutMs: number;
  /** Stores what `fill` appends: all of it, or nothing when `fill` throws. */
  place(key: string, contentType: string, fill: (append: Append) => Promise<void>): Promise<void>;
};

/** The parameters of a URL as text, so that only one spelling of a number matches the signature. */
type SignedUpload = { key: string; contentType: string; size: string; expires: string };

/** Creates presigned PUT URLs for a folder. They sign the same values as those of S3. */
export function createUploadDoor(options: UploadDoorOptions) {
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const sign = (upload: SignedUpload): string =>
    createHmac('sha256', options.signingKey)
      .update(['PUT', upload.key, upload.contentType, upload.size, upload.expires].join('\n'))
      .digest('hex');

  function presign({ key, contentType, sizeBytes, expiresInSeconds }: UploadGrant): string {
    const expires = `${Math.floor(options.clock.now().getTime() / 1000) + expiresInSeconds}`;
    const size = `${sizeBytes}`;
    const signature = sign({ key, contentType, size, expires });
    const query = new URLSearchParams({ type: contentType, size, expires, signature });
    return `${publicUrl}${pathPrefix}${key}?${query.toString()}`;
  }

  async function handle(request: Request): Promise<Response> {
    const upload = verify(request, sign, options.clock.now());
    assertHeaders(request.headers, upload);
    const hash = createHash('sha256');
    await options.place(upload.key, upload.contentType, (append) =>
      copyExactly(request, Number(upload.size), options, async (chunk) => {
        hash.update(chunk);
        await append(chunk);
      }),
    );
    return new Response(null, {
      status: 200,
      headers: { etag: `"${hash.digest('hex')}"`, 'cache-control': 'no-store' },
    });
  }

  return { presign, handle };
}

function verify(request: Request, sign: (upload: SignedUpload) => string, now: Date): SignedUpload {
  const refuse = (why: string) => new DomainError('UNAUTHORIZED', why, { status: 403 });
  if (request.method !== 'PUT') throw refuse('This upload URL takes a PUT and nothing else.');
  const { pathname, searchParams } = new URL(request.url);
  const upload: SignedUpload = {
    key: pathname.slice(pathname.indexOf(pathPrefix) + pathPrefix.length),
    contentType: searchParams.get('type') ?? '',
    size: searchParams.get('size') ?? '',
    expires: searchParams.get('expires') ?? '',
  };
  const expected = Buffer.from(sign(upload));
  const given = Buffer.from(searchParams.get('signature') ?? '');
  if (!pathname.includes(pathPrefix) || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refuse(
      'The upload URL is not as it was issued: use it unchanged, or request another one. It needs no API key.',
    );
  if (now.getTime() >= Number(upload.expires) * 1000)
    throw new DomainError('UPLOAD_URL_EXPIRED', 'The upload URL has expired. Request a new one; it costs nothing.');
  return upload;
}

function assertHeaders(headers: Headers, upload: SignedUpload): void {
  const details = [];
  if (headers.get('content-type') !== upload.contentType)
    details.push({ field: 'Content-Type', message: `must be ${upload.contentType}, as the URL was issued for` });
  // Refuse a body of unknown length (chunked) before reading it.
  if (headers.has('transfer-encoding') || headers.get('content-length') !== upload.size)
    details.push({ field: 'Content-Length', message: `must be ${upload.size}, as the URL was issued for` });
  if (details.length > 0) throw validationError(details);
}

/** Passes on exactly `sizeBytes` bytes. @throws DomainError for a longer or shorter body */
async function copyExactly(
  request: Request,
  sizeBytes: number,
  timeouts: { idleTimeoutMs: number; overallTimeoutMs: number },
  write: Append,
): Promise<void> {
  let received = 0;
  for await (const chunk of timedChunks(request, timeouts)) {
    received += chunk.byteLength;
    if (received > sizeBytes) break;
    await write(chunk);
  }
  if (received !== sizeBytes)
    throw validationError([{ field: 'body', message: `must have ${sizeBytes} bytes; nothing was stored` }]);
}

/**
 * Yields the chunks of the body until the client is too slow. It then releases the stream instead of canceling it: a
 * canceled stream resets the connection, and the client would not read why.
 */
async function* timedChunks(
  request: Request,
  { idleTimeoutMs, overallTimeoutMs }: { idleTimeoutMs: number; overallTimeoutMs: number },
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let late = false;
  let giveUp: (error: Error) => void = () => undefined;
  // Only waiting for the client counts as idle, so each read restarts the timer. `refresh` also restarts a fired timer.
  const idle = setTimeout(() => giveUp(tooSlow('the upload stalled')), idleTimeoutMs);
  const overall = setTimeout(() => {
    late = true;
    giveUp(tooSlow('the upload took too long'));
  }, overallTimeoutMs);
  const next = () =>
    new Promise<Awaited<ReturnType<typeof reader.read>>>((resolve, reject) => {
      if (late) return reject(tooSlow('the upload took too long'));
      giveUp = reject;
      idle.refresh();
      reader.read().then(resolve, () => {
        reject(validationError([{ field: 'body', message: 'the connection ended early; nothing was stored' }]));
      });
    });
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(idle);
    clearTimeout(overall);
    reader.releaseLock();
  }
}

function tooSlow(what: string): DomainError {
  return validationError([{ field: 'body', message: `${what}; nothing was stored` }], 408);
}
