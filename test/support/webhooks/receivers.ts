import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, type Server, createServer as createTcpServer } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { behave } from './receiver-behaviors.ts';
import { makeCertificates } from './certificates.ts';

// Webhook receivers: HTTPS servers on loopback whose path selects a behavior (receiver-behaviors.ts), and servers with a
// flaw below HTTP. All names below `receivers.localhost` lead to them.

/** The flaw of a server, each on its own port. `none`: the server that behaves by path. */
export type Flaw =
  | 'none'
  | 'selfSigned'
  | 'expired'
  | 'wrongName'
  | 'unknownAuthority'
  /** Supports TLS 1.1 at most. */
  | 'oldTls'
  /** Serves the same paths over HTTP without TLS. */
  | 'plain'
  /** Closes each TCP connection at once. */
  | 'hangsUp'
  /** Resets the connection at the client's first bytes. */
  | 'hangsUpInHandshake'
  /** Accepts connections and sends nothing. */
  | 'silent';

/** `url`: `https://host:port/path`, from the request. */
type Received = { url: string; headers: Record<string, string>; body: string };

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

export async function startReceivers() {
  /** The complete requests, and the number of TCP connections to each server. `forget` empties both. */
  const received = { requests: [] as Received[], connections: {} as Partial<Record<Flaw, number>> };
  const certificates = await makeCertificates();
  const open = new Set<{ destroy(): void }>();
  const ports = {} as Record<Flaw, number>;
  const servers = Object.entries(makers(certificates, received.requests)) as [Flaw, () => Server][];
  for (const [flaw, make] of servers) {
    const server = make();
    open.add({ destroy: () => void server.close() });
    server.on('connection', (socket) => {
      received.connections[flaw] = (received.connections[flaw] ?? 0) + 1;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports[flaw] = (server.address() as AddressInfo).port;
  }
  return {
    /** The authority of their certificates (PEM). */
    ca: certificates.ca,
    ports,
    url: (path: string, { host = 'localhost', flaw = 'none' }: { host?: string; flaw?: Flaw } = {}) =>
      `${flaw === 'plain' ? 'http' : 'https'}://${host}:${ports[flaw]}${path}`,
    received,
    forget() {
      received.requests.length = 0;
      received.connections = {};
    },
    stop() {
      for (const one of open) one.destroy();
    },
  };
}

function makers(
  certificates: Awaited<ReturnType<typeof makeCertificates>>,
  requests: Received[],
): Record<Flaw, () => Server> {
  const answer = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const url = `${scheme}://${request.headers.host}${request.url}`;
      requests.push({ url, headers, body: Buffer.concat(chunks).toString() });
      behave(request, response);
    });
  };
  const https = (options: TlsOptions) => () =>
    createHttpsServer({ ...certificates.valid, ...options, keepAliveTimeout: 30_000 }, answer('https')).on(
      'tlsClientError',
      () => {},
    );
  return {
    none: https({}),
    selfSigned: https(certificates.selfSigned),
    expired: https(certificates.expired),
    wrongName: https(certificates.wrongName),
    unknownAuthority: https(certificates.unknownAuthority),
    oldTls: https({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    plain: () => createHttpServer({ keepAliveTimeout: 30_000 }, answer('http')),
    hangsUp: () => createTcpServer((socket) => socket.on('error', () => {}).destroy()),
    hangsUpInHandshake: () =>
      createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.resetAndDestroy())),
    silent: () => createTcpServer((socket) => socket.on('error', () => {}).resume()),
  };
}
