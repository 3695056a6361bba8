import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';

const MAX_CONNECTIONS = 10_000;
// The JSON body has its own, shorter limit; this one bounds a picture on a slow line.
const REQUEST_TIMEOUT_MS = 300_000;

export type Listener = {
  /** The port in use, also when 0 was asked for. */
  port: number;
  /** Stops accepting, lets requests in flight finish for at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
};

/** Binds one app to a port with the limits of a server that strangers reach. */
export async function listen(app: App, { host, port }: { host: string; port: number }): Promise<Listener> {
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 8 * 1024,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = 10_000;
  server.on('clientError', answerBrokenRequest);
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
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** What is not HTTP gets an answer in the envelope too, as far as the connection can carry one. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = brokenRequests[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP'];
  const body = JSON.stringify({
    success: false,
    error: { code: 'VALIDATION_ERROR', message: `Validation failed: request: ${message}`, details: [{ field: 'request', message }], request_id: '' },
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n${body}`,
  );
}

const brokenRequests: Record<string, [string, string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers of at most 8 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};
