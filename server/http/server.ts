import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { App } from './app.ts';
import { uncounted } from './connections.ts';
import type { Failure } from './render.ts';

const IDLE_SWEEP_MS = 50;
// Ten thousand of them may be idle event streams.
const MAX_CONNECTIONS = 20_000;
// Long enough for a picture on a slow line; JSON bodies have a shorter limit.
const REQUEST_TIMEOUT_MS = 300_000;
/** Longer than any request may take, and than the pauses of a stream. */
const IDLE_MS = 90_000;
// Time that the answer to a broken request, or on a connection too many, gets before its connection is closed.
const LINGER_MS = 500;

export type Listener = {
  /** The port in use; with port 0 the operating system chose it. */
  port: number;
  /** Stops accepting, waits at most `graceMs` for requests in flight, then closes every connection. */
  close(graceMs: number): Promise<void>;
};

/** Binds an app to a port, with limits for a server that is open to the internet. @throws Error when the port is taken */
export async function listen(app: App, { host, port }: { host: string; port: number }): Promise<Listener> {
  // The adapter replaces the global Request and Response with its own: 14,500 answers a second instead of 4,500.
  const handle = getRequestListener(app.fetch, {
    hostname: 'localhost',
    errorHandler: (error) => {
      const { status, headers, body } = app.fail(error);
      return new Response(body, { status, headers });
    },
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // First, so that a page can read a refusal, too.
    if (app.shareAcrossOrigins(request, response)) return;
    const refused = countRequest(app, request, response) ?? app.refusal(request);
    if (refused) refuse(response, refused);
    else void handle(request, response);
  };
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16 * 1024,
      // Node's own refusal has no body; app.refusal has one.
      requireHostHeader: false,
      connectionsCheckingInterval: 1_000,
    },
    onRequest,
  );
  server.maxConnections = MAX_CONNECTIONS;
  // A client that takes nothing of its answer holds it in memory.
  server.timeout = IDLE_MS;
  server.on('connection', (socket) => countConnection(app, socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBrokenRequest(app, error.code, socket));
  server.on('connect', (_request, socket) => answerBrokenRequest(app, 'CONNECT', socket));
  // HTTP allows a server to ignore an unknown Expect header. Node's default answer has no body.
  server.on('checkExpectation', onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: (graceMs) => close(server, graceMs),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Without this, a kept-alive connection would stay open until the grace period ends.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

const RETRY_SECONDS = 5;
/** The connections beyond the bound of their address. They live until their first request is answered. */
const tooMany = new WeakSet<Socket>();

function countConnection({ connections }: App, socket: Socket): void {
  const end = connections.open(socket.remoteAddress ?? '');
  if (end) return void socket.once('close', end);
  tooMany.add(socket);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** The most requests of a connection that wait behind another one. */
const MOST_PIPELINED = 16;
const pipelined = new WeakMap<Socket, number>();

/** Returns whether too many requests came before their answers: each would hold its answer in memory. */
function isFlooded(socket: Socket, response: ServerResponse): boolean {
  // The answer gets the connection once those before it have left.
  if (response.socket !== null) return false;
  const waiting = (pipelined.get(socket) ?? 0) + 1;
  pipelined.set(socket, waiting);
  response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
  return waiting > MOST_PIPELINED;
}

/** Returns the answer to a request of an address or a connection that has too many, or null. */
function countRequest(app: App, { socket, headers }: IncomingMessage, response: ServerResponse): Failure | null {
  const { connections, fail } = app;
  if (isFlooded(socket, response)) {
    const message = `At most ${MOST_PIPELINED} requests of a connection may wait behind another one.`;
    return fail(new DomainError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds: RETRY_SECONDS }));
  }
  if (!tooMany.has(socket)) {
    const forwardedFor = headers['x-forwarded-for'];
    const end = connections.begin(socket.remoteAddress ?? '', String(forwardedFor ?? '') || undefined);
    if (end) {
      if (end !== uncounted) response.once('close', end);
      return null;
    }
  }
  const message = `An address may have ${connections.most} open connections. Close some, or use them again.`;
  return fail(new DomainError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds: RETRY_SECONDS }));
}

function refuse(response: ServerResponse, { status, headers, body }: Failure): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }).end(body);
}

const brokenRequests: Record<string, [status: number, statusText: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers of at most 16 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'the request did not arrive in time'],
  CONNECT: [400, 'Bad Request', 'this is not a proxy'],
};

/** Answers a request that is not valid HTTP with the usual error envelope, if the connection still takes one. */
function answerBrokenRequest(app: App, code: string | undefined, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, statusText, message] = brokenRequests[code ?? ''] ?? [400, 'Bad Request', 'not valid HTTP'];
  const { headers, body } = app.fail(validationError([{ field: 'request', message }], status));
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 ${status} ${statusText}\r\n${lines}\r\n${body}`);
  // The client may never close its side.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
