import type { Socket } from 'node:net';
import { type Answer, AnswerReader } from './answer-reader.ts';
import { AttemptFailed } from './attempt-failed.ts';
import type { Deadline } from './deadline.ts';
import type { WriteQueue } from './write-queue.ts';

/** Below what servers wait themselves (Node 5 s, nginx 75 s), so that seldom is one met that has just been closed. */
const IDLE_MS = 4_000;
/** Less than the other side says that it waits. */
const EARLIER_MS = 1_000;

type Exchange = { data(chunk: Buffer): void; end(): void; close(): void };

/** One checked connection, used for one request at a time. */
export type Connection = {
  readonly socket: Socket;
  /** Where it leads to. */
  readonly address: string;
  /** What comes without one ends the connection. */
  exchange: Exchange | null;
  /** Requests that it was used for. */
  uses: number;
  /** Something came since the last request. */
  heard: boolean;
  /** For another request: until then, by `performance.now()`; 0 when it is not used again. */
  keptUntil: number;
  /** Called when the socket has closed, by whichever side. */
  onEnd: () => void;
};

export function openConnection(socket: Socket, address: string): Connection {
  const connection: Connection = {
    socket,
    address,
    exchange: null,
    uses: 0,
    heard: false,
    keptUntil: 0,
    onEnd: () => {},
  };
  socket.on('data', (chunk: Buffer) => {
    connection.heard = true;
    if (connection.exchange) connection.exchange.data(chunk);
    else socket.destroy();
  });
  socket.once('end', () => {
    if (connection.exchange) connection.exchange.end();
    else socket.destroy();
  });
  socket.once('close', () => {
    connection.exchange?.close();
    connection.onEnd();
  });
  return connection;
}

export type Post = { host: string; path: string; headers: Record<string, string>; body: string | Uint8Array };

const FIELD = /^[!#$%&'*+.^_`|~\w-]+: [\t\x20-\x7e\x80-\xff]*$/;

/** The bytes of a request. @throws AttemptFailed for headers that are none */
export function requestBytes({ host, path, headers, body }: Post): Buffer {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  let head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const field = `${name}: ${headers[name]}`;
    if (!FIELD.test(field)) throw new AttemptFailed('connection');
    head += `${field}\r\n`;
  }
  head += `content-length: ${length}\r\n\r\n`;
  // Together: one record of TLS, one packet.
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, 'latin1');
  if (typeof body === 'string') bytes.write(body, head.length);
  else bytes.set(body, head.length);
  return bytes;
}

/** Sends one request and reads its answer. Rejects with AttemptFailed when it did not end well; `seen` has what came. */
export function exchange(
  connection: Connection,
  request: Buffer,
  { deadline, seen, writes }: { deadline: Deadline; seen: Answer; writes: WriteQueue },
): Promise<void> {
  const { socket } = connection;
  const reader = new AnswerReader(seen);
  return new Promise((resolve, reject) => {
    const settle = () => {
      connection.exchange = null;
      deadline.removeEventListener('abort', onAbort);
      if (seen.status !== null) seen.text = reader.text();
    };
    const succeed = () => {
      settle();
      connection.keptUntil = reader.keeps ? performance.now() + Math.min(IDLE_MS, reader.keepsMs - EARLIER_MS) : 0;
      resolve();
    };
    const fail = (failure: AttemptFailed) => {
      settle();
      // Whatever is still to come is nobody's.
      socket.destroy();
      reject(failure);
    };
    const onAbort = () => fail(new AttemptFailed('timeout'));
    if (deadline.aborted) return onAbort();
    deadline.addEventListener('abort', onAbort);
    connection.uses += 1;
    connection.heard = false;
    connection.exchange = {
      data(chunk) {
        try {
          if (reader.read(chunk)) succeed();
        } catch (error) {
          fail(error instanceof AttemptFailed ? error : new AttemptFailed('connection', error));
        }
      },
      end: () => (reader.end() ? succeed() : fail(new AttemptFailed('connection'))),
      close: () => fail(new AttemptFailed('connection')),
    };
    if (socket.destroyed) return fail(new AttemptFailed('connection'));
    writes.write(socket, request);
  });
}
