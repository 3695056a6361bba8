import type { Socket } from 'node:net';
import { type Answer, AnswerReader } from './response-reader.ts';
import { AttemptFailed } from './request-failure.ts';
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

const FIELD = String.raw`[!#$%&'*+.^_\x60|~\w-]+: [\t\x20-\x7e\x80-\xff]*\r\n`;
/** By how many they are: one with an end of line in it would be two. */
const fieldsOf: RegExp[] = [];

/** The bytes of a request. @throws AttemptFailed for headers that are none */
export function requestBytes({ host, path, headers, body }: Post): Buffer {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  let fields = '';
  let count = 0;
  for (const name in headers) {
    fields += `${name}: ${headers[name]}\r\n`;
    count += 1;
  }
  const wellFormed = (fieldsOf[count] ??= new RegExp(`^(?:${FIELD}){${count}}$`));
  if (!wellFormed.test(fields)) throw new AttemptFailed('connection');
  const start = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  const head = `${start}${fields}content-length: ${length}\r\n\r\n`;
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
  return new Promise((resolve, reject) => {
    const under = new UnderWay(connection, deadline, seen, resolve, reject);
    if (deadline.aborted) return under.fail(new AttemptFailed('timeout'));
    deadline.addEventListener('abort', under.onAbort);
    connection.uses += 1;
    connection.heard = false;
    connection.exchange = under;
    if (connection.socket.destroyed) return under.close();
    writes.write(connection.socket, request);
  });
}

/** There is one for every delivery: a class, as each of its methods would otherwise be made anew. */
class UnderWay implements Exchange {
  readonly #connection: Connection;
  readonly #deadline: Deadline;
  readonly #seen: Answer;
  readonly #reader: AnswerReader;
  readonly #resolve: () => void;
  readonly #reject: (failure: AttemptFailed) => void;
  readonly onAbort = () => this.fail(new AttemptFailed('timeout'));

  constructor(
    connection: Connection,
    deadline: Deadline,
    seen: Answer,
    resolve: () => void,
    reject: (failure: AttemptFailed) => void,
  ) {
    this.#connection = connection;
    this.#deadline = deadline;
    this.#seen = seen;
    this.#reader = new AnswerReader(seen);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  data(chunk: Buffer): void {
    try {
      if (this.#reader.read(chunk)) this.#succeed();
    } catch (error) {
      this.fail(error instanceof AttemptFailed ? error : new AttemptFailed('connection', error));
    }
  }

  end(): void {
    if (this.#reader.end()) this.#succeed();
    else this.close();
  }

  close(): void {
    this.fail(new AttemptFailed('connection'));
  }

  fail(failure: AttemptFailed): void {
    this.#settle();
    // Whatever is still to come is nobody's.
    this.#connection.socket.destroy();
    this.#reject(failure);
  }

  #succeed(): void {
    this.#settle();
    const { keeps, keepsMs } = this.#reader;
    this.#connection.keptUntil = keeps ? performance.now() + Math.min(IDLE_MS, keepsMs - EARLIER_MS) : 0;
    this.#resolve();
  }

  #settle(): void {
    this.#connection.exchange = null;
    this.#deadline.removeEventListener('abort', this.onAbort);
    if (this.#seen.status !== null) this.#seen.text = this.#reader.text();
  }
}
