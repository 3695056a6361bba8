import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, type Server, createServer as createTcpServer } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { behave } from './receiver-behaviors.ts';
import { makeCertificates } from './certificates.ts';

// Webhook receivers in a separate process: HTTPS servers on loopback whose path selects a behavior
// (receiver-behaviors.ts), and servers with a flaw below HTTP. All names below `receivers.localhost` lead to them.
//
//   const receivers = await startReceivers();
//   const client = createWebhookClient({ development: true, clock, ca: receivers.ca });
//   await client.post({ url: receivers.url('/ok', { host: 'a.receivers.localhost' }), headers: {}, body: '{}' });
//   (await receivers.received()).requests[0].headers
//   await receivers.stop();

/** The flaw of a server, each on its own port. `none`: the server that behaves by path. */
export type Flaw =
  | 'none'
  | 'selfSigned'
  | 'expired'
  | 'wrongName'
  | 'unknownAuthority'
  /** Supports TLS 1.1 at most. */
  | 'oldTls'
  /** Does not support X25519. */
  | 'otherGroup'
  | 'tls12'
  /** Serves the same paths over HTTP without TLS. */
  | 'plain'
  /** Closes each TCP connection at once. */
  | 'hangsUp'
  /** Resets the connection at the client's first bytes. */
  | 'hangsUpInHandshake'
  /** Accepts connections and sends nothing. */
  | 'silent';

export type Received = {
  /** `https://host:port/path`, from the request. */
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The number of its TCP connection. */
  connection: number;
};

export type Report = {
  /** The newest 1,000 complete requests. */
  requests: Received[];
  /** All requests by path and query. `duplicates` counts repeated pairs of path and `webhook-id`. */
  counts: Record<string, number>;
  total: number;
  duplicates: number;
  /** TCP connections by flaw. */
  connections: Record<string, number>;
  /** How many TLS sessions were resumed. */
  resumed: number;
};

export type Receivers = {
  /** The authority of their certificates (PEM). */
  ca: string;
  /** The ports of the servers that were started. */
  ports: Record<Flaw, number>;
  pid: number;
  /** `host` defaults to `localhost`. */
  url(path: string, options?: { host?: string; flaw?: Flaw }): string;
  received(): Promise<Report>;
  forget(): Promise<void>;
  /** Closes every open connection, as a restarting server does. */
  hangUp(): Promise<void>;
  stop(): Promise<void>;
};

export type ReceiversOptions = {
  /**
   * Loopback addresses to listen on, all with the same ports; 127.0.0.1 by default. The certificates name them, so that
   * `https://127.0.3.1:port/ok` is a receiver in another network.
   */
  addresses?: string[];
  /** The servers to start; all by default. */
  flaws?: Flaw[];
};

/** Starts the process. It ends with this one. */
export async function startReceivers(options: ReceiversOptions = {}): Promise<Receivers> {
  const child = fork(import.meta.filename, [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // Rejects when the process ends early. Only `answer` looks at it, so ignore it otherwise.
  const ended = failing(child);
  ended.catch(() => {});
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
    return message;
  };
  const { ca, ports } = await answer<Pick<Receivers, 'ca' | 'ports'>>();
  let asking: Promise<unknown> = Promise.resolve();
  // One question at a time, because answers carry no number.
  const ask = <Answer>(question: string): Promise<Answer> => {
    const asked = asking.then(() => {
      child.send(question);
      return answer<Answer>();
    });
    asking = asked.catch(() => {});
    return asked;
  };
  return {
    ca,
    ports,
    pid: child.pid ?? 0,
    url: (path, { host = 'localhost', flaw = 'none' } = {}) =>
      `${flaw === 'plain' ? 'http' : 'https'}://${host}:${ports[flaw]}${path}`,
    received: () => ask<Report>('received'),
    forget: async () => void (await ask('forget')),
    hangUp: async () => void (await ask('hangUp')),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function failing(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number];
  throw new Error(`the receivers ended with ${code}`);
}

const KEPT = 1_000;

function createRecord() {
  const report: Report = { requests: [], counts: {}, total: 0, duplicates: 0, connections: {}, resumed: 0 };
  const ids = new Set<string>();
  return {
    report: () => ({ ...report }),
    forget() {
      Object.assign(report, { requests: [], counts: {}, total: 0, duplicates: 0, connections: {}, resumed: 0 });
      ids.clear();
    },
    secured(resumed: boolean) {
      if (resumed) report.resumed += 1;
    },
    connected: (flaw: Flaw) => (report.connections[flaw] = (report.connections[flaw] ?? 0) + 1),
    add(request: IncomingMessage, body: string, scheme: string, connection: number) {
      const path = request.url ?? '';
      report.total += 1;
      report.counts[path] = (report.counts[path] ?? 0) + 1;
      const id = `${path} ${String(request.headers['webhook-id'])}`;
      if (request.headers['webhook-id'] !== undefined && ids.has(id)) report.duplicates += 1;
      ids.add(id);
      const headers = request.headers as Record<string, string>;
      report.requests.push({ url: `${scheme}://${request.headers.host}${path}`, headers, body, connection });
      // Trim rarely, so that trimming does not distort measurements.
      if (report.requests.length >= 2 * KEPT) report.requests.splice(0, KEPT);
    },
  };
}

/** Runs the receivers in the child process. */
async function serve({ addresses = ['127.0.0.1'], flaws }: ReceiversOptions): Promise<void> {
  const record = createRecord();
  const open = new Set<{ destroy(): void }>();
  let connections = 0;
  const numbers = new WeakMap<object, number>();

  const answer = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!numbers.has(socket)) numbers.set(socket, (connections += 1));
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      record.add(request, Buffer.concat(chunks).toString(), scheme, numbers.get(socket) ?? 0);
      behave(request, response);
    });
  };
  const certificates = await makeCertificates(addresses);
  const https = (options: TlsOptions) => () => {
    const server = createHttpsServer({ ...certificates.valid, ...options, keepAliveTimeout: 30_000 }, answer('https'));
    server.on('secureConnection', (socket) => record.secured(socket.isSessionReused()));
    return server.on('tlsClientError', () => {});
  };
  const makers: Record<Flaw, () => Server> = {
    none: https({}),
    selfSigned: https(certificates.selfSigned),
    expired: https(certificates.expired),
    wrongName: https(certificates.wrongName),
    unknownAuthority: https(certificates.unknownAuthority),
    oldTls: https({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    otherGroup: https({ ecdhCurve: 'P-384' }),
    tls12: https({ maxVersion: 'TLSv1.2' }),
    plain: () => createHttpServer({ keepAliveTimeout: 30_000 }, answer('http')),
    hangsUp: () => createTcpServer((socket) => socket.on('error', () => {}).destroy()),
    hangsUpInHandshake: () =>
      createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.resetAndDestroy())),
    silent: () => createTcpServer((socket) => socket.on('error', () => {}).resume()),
  };

  const ports = {} as Record<Flaw, number>;
  for (const flaw of flaws ?? (Object.keys(makers) as Flaw[])) {
    for (const host of addresses) {
      const server = makers[flaw]();
      server.on('connection', (socket) => {
        record.connected(flaw);
        open.add(socket);
        socket.once('close', () => open.delete(socket));
      });
      server.listen({ host, port: ports[flaw] ?? 0, backlog: 4096 });
      await once(server, 'listening');
      ports[flaw] = (server.address() as AddressInfo).port;
    }
  }

  process.on('disconnect', () => process.exit());
  process.on('message', (question) => {
    if (question === 'forget') record.forget();
    if (question === 'hangUp') for (const socket of open) socket.destroy();
    process.send?.(question === 'received' ? record.report() : {});
  });
  process.send?.({ ca: certificates.ca, ports });
}

if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? '{}') as ReceiversOptions);
