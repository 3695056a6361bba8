import type { LookupFunction } from 'node:net';
import { connect, createSecureContext } from 'node:tls';
import { Agent, request } from 'undici';
import { giveWay } from '../give-way.ts';
import { createPostClient } from '../../server/outbound/post-client.ts';
import { SECRET_BYTES } from '../../server/webhooks/delivery/secrets.ts';
import { signableEvent, signDelivery } from '../../server/webhooks/delivery/signature.ts';
import { answerParent } from '../child.ts';
import { typicalBody } from './event.ts';

// One of the compared clients in a separate process. It sends the requested number of requests, `width` at a time.

export type ClientKind =
  /** The service's own client. */
  | 'own'
  /** undici with its defaults: the reference of the aims. */
  | 'bare'
  /** undici with one TLS context for all connections. */
  | 'shared'
  /** No HTTP client: a handshake with X25519 and hand-written bytes. */
  | 'handshake';
/** Hosts are spread over the ports. */
export type ClientSettings = { kind: ClientKind; ca: string; ports: number[] };
export type ClientQuestion = { count: number; width: number; reused: boolean };
export type ClientAnswer = { perSecond: number; cpuMicros: number; failed: number };

// The sender of the service has a lower priority too.
giveWay();

const { kind, ca, ports } = JSON.parse(process.argv[2] ?? '{}') as ClientSettings;
// The request of an event with a brief of typical length, signed once.
const signedAt = new Date();
const event = { id: '019aa000-0000-7000-8000-000000000000', body: typicalBody(signedAt) };
const { headers, body } = signDelivery(
  signableEvent(event),
  { current: Buffer.alloc(SECRET_BYTES), previous: null },
  { at: signedAt, serviceName: 'concours' },
);

const clients: Record<ClientKind, () => (host: string, port: number) => Promise<boolean>> = {
  own() {
    const client = createPostClient({ development: true, clock: { now: () => new Date() }, ca });
    return async (host, port) =>
      (await client.post({ url: `https://${host}:${port}/ok`, headers, body })).status === 200;
  },
  bare: () => undiciLoop(new Agent({ connect: { ca, lookup: toLoopback } })),
  shared: () => undiciLoop(new Agent({ connect: { secureContext: createSecureContext({ ca }), lookup: toLoopback } })),
  handshake() {
    const secureContext = createSecureContext({ ca, ecdhCurve: 'X25519' });
    const lines = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' });
    return (servername, port) =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, servername, secureContext }, () => {
          const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
          const start = `POST /ok HTTP/1.1\r\nhost: ${servername}:${port}\r\n${head}\r\n`;
          socket.write(Buffer.concat([Buffer.from(start), body]));
        });
        socket.once('data', (bytes: Buffer) => {
          resolve(bytes.toString('latin1').startsWith('HTTP/1.1 200'));
          socket.destroy();
        });
        socket.once('error', () => resolve(false));
      });
  },
};

function undiciLoop(dispatcher: Agent) {
  return async (host: string, port: number): Promise<boolean> => {
    const url = `https://${host}:${port}/ok`;
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    await answer.body.text();
    return answer.statusCode === 200;
  };
}

/** Resolves the receivers' names locally, as the service's client does. */
function toLoopback(...[, options, callback]: Parameters<LookupFunction>): void {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
}

const post = clients[kind]();
let hosts = 0;

answerParent(async ({ count, width, reused }: ClientQuestion): Promise<ClientAnswer> => {
  let left = count;
  let failed = 0;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const worker = async (number: number) => {
    while (left > 0) {
      left -= 1;
      // A new host for each request, or one host for each worker.
      const at = reused ? number : (hosts += 1);
      const host = `${reused ? 'own' : 'new'}-${at}.receivers.localhost`;
      if (!(await post(host, ports[at % ports.length] ?? 0))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, (_, number) => worker(number)));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / seconds, cpuMicros: (user + system) / count, failed };
});
