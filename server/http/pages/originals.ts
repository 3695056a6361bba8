import type { HttpBindings } from '@hono/node-server';
import { makeZip, predictLength } from 'client-zip';
import type { Context as HonoContext, Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { alertOperator } from '../../events/public.ts';
import { OriginalUnavailable, readOriginal, verifyOriginals, createFairQueue } from '../../pictures/public.ts';
import type { FairQueue } from '../../pictures/types.ts';
import { StorageError } from '../../storage/types.ts';
import { type Download, findDownload, recordDownload, safeFileName } from '../../delivery/public.ts';
import type { Guarded, WithDeadline } from '../answers/deadline.ts';
import { plainHeaders } from '../answers/responses.ts';
import { unavailable as tryAgain } from '../answers/errors.ts';
import { whileWaitedFor } from '../answers/watch-connection.ts';
import type { DownloadOutcome } from '../metrics/metrics.ts';
import { type ResponseConnection, connectionOf, sendParts } from './sending.ts';

type Env = { Bindings: HttpBindings };
type Parts = Pick<Deps, 'db' | 'reads' | 'clock' | 'newId' | 'storage' | 'originalUrls' | 'log'> & {
  guarded: Guarded;
  count: (outcome: DownloadOutcome) => void;
};

// 128 KB/s. A client that reads more slowly is disconnected, so no turn is held for more than an hour.
const LEAST_RATE = { windowMs: 60_000, leastBytes: 60 * 128 * 1024 };
// A download holds at most 4 parts of 1 MB, so both groups together take 128 MB.
const TURNS = 16;
// A browser may load several files of a set at once. Four accounts can then hold all turns of their group for a while.
const TURNS_OF_ACTOR = 4;
// A waiting request holds no bytes.
const WAITING = { maxWaiting: 1_000, maxWaitingOfAgent: 50 };

/** Serves originals to every client with a valid signed URL: exactly the bytes that were judged, or an error. */
export function mountOriginals(app: Hono<Env>, parts: Parts, withDeadline: WithDeadline): void {
  const createTurns = () => createFairQueue({ turns: TURNS, turnsOfAgent: TURNS_OF_ACTOR, ...WAITING });
  // Anybody can be many agents with free entries, but a poster has paid a prize for what it downloads.
  const [ofAgents, ofOthers] = [createTurns(), createTurns()];
  app.get('/originals/:grantId/:part', async (c) => {
    const download = await openedBy(parts, c);
    if (c.req.method === 'HEAD') return new Response(null, { headers: plainHeaders });
    const turns = download.grant.actor.startsWith('agent:') ? ofAgents : ofOthers;
    // Reading 400 MB twice takes longer than a plain request may.
    return await whileWaitedFor(c.env.incoming, (left) =>
      withDeadline(send(parts, turns, download, { connection: connectionOf(c), left }), true),
    );
  });
}

async function openedBy(parts: Parts, c: HonoContext<Env>): Promise<Download> {
  const { grantId = '', part: given = '' } = c.req.param();
  const { searchParams } = new URL(c.req.raw.url);
  const expires = searchParams.get('expires') ?? '';
  const signature = searchParams.get('signature') ?? '';
  const part = parts.originalUrls.verify({ grantId, part: given, expires, signature });
  return await parts.guarded(() => findDownload(parts, { grantId, part }));
}

/** `left` is aborted when nobody waits for the answer any longer. */
type Client = { connection: ResponseConnection; left: AbortSignal };

/**
 * Answers when every byte was compared and the download is recorded. Then reads, compares, and sends the bytes again. For a
 * client that has left, it reads no further byte and records nothing.
 */
function send(parts: Parts, turns: FairQueue, download: Download, { connection, left }: Client): Promise<Response> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Response>();
  const inTurn = turns.run(
    download.grant.actor,
    async () => {
      await verified(parts, download, left);
      await recordDownload(parts, download);
      left.throwIfAborted();
      const { headers, body } = answerOf(parts, download);
      const { stream, ended } = sendParts(body, LEAST_RATE, connection);
      resolve(new Response(stream, { headers }));
      const error = await ended;
      if (error instanceof OriginalUnavailable) unavailable(parts, download, error);
      else report(parts, download, error);
    },
    left,
  );
  inTurn.catch((error: unknown) => {
    if (!left.aborted) return reject(error);
    report(parts, download, new Error('the client left before the first byte'));
    reject(tryAgain('The client left.'));
  });
  return answer;
}

async function verified(parts: Parts, download: Download, left: AbortSignal): Promise<void> {
  try {
    await verifyOriginals(parts.storage, download.files, left);
    left.throwIfAborted();
  } catch (error) {
    throw error instanceof OriginalUnavailable ? unavailable(parts, download, error) : error;
  }
}

/** Alerts the operator, and returns the error for the client. */
function unavailable(
  parts: Parts,
  { submissionId, part, grant }: Download,
  { problem }: OriginalUnavailable,
): DomainError {
  const { count, log } = parts;
  count('unavailable');
  const about = { alert: 'original_unavailable', submissionId, part, grant: grant.id, problem };
  log.error(about, 'a stored original is not as it was judged');
  // Does not reject, and the client need not wait for it.
  void alertOperator(parts, {
    alert: 'original_unavailable',
    subject: `submission:${submissionId}`,
    message: `The stored file is ${problem}.`,
    details: { part },
  });
  return new DomainError(
    'DELIVERY_UNAVAILABLE',
    `The stored file is ${problem}, so the service cannot deliver it. The operator was alerted. Nothing else is sent in its place.`,
  );
}

/** Counts and logs how a download ended. */
function report({ count, log }: Parts, { submissionId, part, grant }: Download, error: Error | null): void {
  count(error ? 'broken_off' : 'sent');
  const about = { submissionId, part, grant: grant.id };
  if (error instanceof StorageError) log.error({ ...about, err: error }, 'the storage failed during a download');
  else if (error) log.info({ ...about, problem: error.message }, 'a download broke off');
}

type FileResponse = { headers: Record<string, string>; body: AsyncIterable<Uint8Array> };

function answerOf({ storage }: Pick<Parts, 'storage'>, { submissionId, part, files }: Download): FileResponse {
  const [file] = files;
  if (part !== 'zip' && file)
    return {
      headers: {
        ...plainHeaders,
        'Content-Type': file.contentType,
        'Content-Length': String(file.sizeBytes),
        'Content-Disposition': attachment(safeFileName(file.fileName, file.contentType)),
        'Repr-Digest': `sha-256=:${file.sha256.toString('base64')}:`,
      },
      body: readOriginal(storage, file),
    };
  const zipped = files.map((each) => ({
    // The number keeps names apart, and keeps the order.
    name: `${String(each.item).padStart(2, '0')}-${safeFileName(each.fileName, each.contentType)}`,
    lastModified: each.completedAt,
    size: each.sizeBytes,
    input: readOriginal(storage, each),
  }));
  return {
    headers: {
      ...plainHeaders,
      'Content-Type': 'application/zip',
      'Content-Length': String(predictLength(zipped)),
      'Content-Disposition': attachment(`entry-${submissionId}.zip`),
    },
    body: makeZip(zipped),
  };
}

/** Returns the header that makes a browser save the file under this name (RFC 6266, RFC 8187). */
export function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
