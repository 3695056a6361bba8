import { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { assertContentType, assertGrant, assertKey, StorageError } from './types.ts';
import type { PartOfObject, Storage, UploadGrant } from './types.ts';

const AGENT = { keepAlive: true, maxSockets: 100 };

export type S3StorageOptions = {
  endpoint: string;
  /** The store as clients reach it, for presigned URLs. Default: `endpoint`. */
  publicEndpoint?: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Deadline of one call, with its retries and its body. */
  timeoutMs?: number;
};

/** Storage in any S3 with path-style addresses; tested against Ceph's gateway. */
export function createS3Storage(options: S3StorageOptions): Storage {
  const { bucket: Bucket, timeoutMs = 30_000 } = options;
  const client = s3Client(options, timeoutMs);
  const signer = s3Client({ ...options, endpoint: options.publicEndpoint ?? options.endpoint }, timeoutMs);

  /** Runs one call with a deadline. @throws StorageError for every failure of S3 or the network */
  async function ask<T>(action: string, call: (deadline: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await call(deadline);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError(readable(action, Bucket, error, deadline.aborted), error);
    }
  }

  const check = () =>
    ask('HeadBucket', async (abortSignal) => {
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
    });

  return {
    presignUpload: (grant) =>
      ask('presign', async () => {
        assertGrant(grant);
        return presign(signer, Bucket, grant);
      }),

    head: async (key) => {
      const found = await ask('HeadObject', async (abortSignal) => {
        assertKey(key);
        return orNull(client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal }));
      });
      // An answer to HEAD has no body, so a missing bucket looks like a missing object.
      if (found === null) await check();
      if (found === null) return null;
      const { ContentLength: sizeBytes = 0, ContentType: contentType = null, LastModified: modifiedAt, ETag } = found;
      if (!modifiedAt) throw new StorageError('S3 HeadObject: answered without Last-Modified');
      return { sizeBytes, contentType, modifiedAt, version: ETag ?? '' };
    },

    read: (key, maxBytes, version) =>
      ask('GetObject', async (abortSignal) => {
        assertKey(key);
        const asked = { Bucket, Key: key, ...(version && { IfMatch: version }) };
        const found = await orNull(client.send(new GetObjectCommand(asked), { abortSignal }));
        return found && readBody(found, maxBytes, abortSignal);
      }),

    readPart: (Key, part) => ask('GetObject', (deadline) => readRange(client, { Bucket, Key }, part, deadline)),

    write: (key, Body, ContentType) =>
      ask('PutObject', async (abortSignal) => {
        assertKey(key);
        assertContentType(ContentType);
        await client.send(new PutObjectCommand({ Bucket, Key: key, Body, ContentType }), { abortSignal });
      }),

    remove: (key) =>
      ask('DeleteObject', async (abortSignal) => {
        assertKey(key);
        await client.send(new DeleteObjectCommand({ Bucket, Key: key }), { abortSignal });
      }),

    check,
  };
}

function s3Client(options: S3StorageOptions, timeoutMs: number): S3Client {
  return new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    forcePathStyle: true,
    // The default signs the CRC of an empty body, so S3 would refuse every real body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The header would need a new connection for each large object.
    expectContinueHeader: false,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: Math.min(2_000, timeoutMs),
      requestTimeout: Math.min(15_000, timeoutMs),
      throwOnRequestTimeout: true,
      httpAgent: AGENT,
      httpsAgent: AGENT,
    },
  });
}

function presign(signer: S3Client, Bucket: string, grant: UploadGrant): Promise<string> {
  const { key: Key, contentType: ContentType, sizeBytes: ContentLength, expiresInSeconds: expiresIn } = grant;
  // By default the presigner does not sign the content type, and S3 would accept any type.
  return getSignedUrl(signer, new PutObjectCommand({ Bucket, Key, ContentType, ContentLength }), {
    expiresIn,
    signableHeaders: new Set(['host', 'content-type', 'content-length']),
  });
}

/** Returns at most `bytes` bytes of a range; none if the object ends before it. */
async function readRange(
  client: S3Client,
  object: { Bucket: string; Key: string },
  { from, bytes }: PartOfObject,
  abortSignal: AbortSignal,
): Promise<Buffer | null> {
  assertKey(object.Key);
  const range = { ...object, Range: `bytes=${from}-${from + bytes - 1}` };
  try {
    const found = await orNull(client.send(new GetObjectCommand(range), { abortSignal }));
    return found && (await readBody(found, bytes, abortSignal));
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return Buffer.alloc(0);
    throw error;
  }
}

// PreconditionFailed: the object has another version.
const ABSENT = ['NoSuchKey', 'NotFound', 'PreconditionFailed'];

async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof S3ServiceException && ABSENT.includes(error.name)) return null;
    throw error;
  }
}

async function readBody(
  { Body: body, ContentLength: length }: Pick<GetObjectCommandOutput, 'Body' | 'ContentLength'>,
  maxBytes: number,
  deadline: AbortSignal,
): Promise<Buffer> {
  if (!(body instanceof IncomingMessage)) throw new StorageError('S3 GetObject answered without a body');
  addAbortSignal(deadline, body);
  if ((length ?? 0) > maxBytes) body.destroy(tooLong(maxBytes));
  const pieces: Buffer[] = [];
  let received = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    received += piece.length;
    if (received > maxBytes) throw tooLong(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function tooLong(maxBytes: number): StorageError {
  return new StorageError(`S3 GetObject: the object has more than ${maxBytes} bytes`);
}

/** Returns a message for the operator: the code and the status of S3, without keys, headers, or addresses. */
function readable(action: string, bucket: string, error: unknown, late: boolean): string {
  if (late) return `S3 ${action}: no answer in time`;
  if (!(error instanceof S3ServiceException)) {
    const code = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : 'unknown');
    return `S3 ${action}: the endpoint could not be reached (${code})`;
  }
  const status = error.$metadata.httpStatusCode;
  if (error.name === 'NoSuchBucket' || (action === 'HeadBucket' && status === 404))
    return `S3 ${action}: the bucket ${bucket} does not exist`;
  if (status === 401 || status === 403)
    return `S3 ${action}: refused (${status} ${error.name}); look at the key, its rights on the bucket and the clock`;
  return `S3 ${action}: answered ${status ?? 'nothing'} ${error.name}`;
}
