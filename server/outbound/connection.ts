import type { Socket } from 'node:net';
import { RequestError } from './request-failure.ts';
import { type HttpResponse, ResponseReader } from './response-reader.ts';
import type { WriteQueue } from './write-queue.ts';

/** Shorter than common server timeouts (Node 5 s, nginx 75 s), so that a reused connection is seldom just closed. */
const IDLE_MS = 4_000;
/** Stop using a connection this long before the timeout that its server announced. */
const SAFETY_MS = 1_000;

type Exchange = { reader: ResponseReader; complete: () => void; fail: (error: RequestError) => void };

/** A connection to one checked address. It carries one request at a time. */
export class Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Called once, when either side has closed the socket. */
  onClose: () => void = () => {};
  /** How many requests the connection has carried. */
  uses = 0;
  /** Whether bytes arrived since the last request was sent. */
  heard = false;
  readonly #writes: WriteQueue;
  #reusableUntil = 0;
  #exchange: Exchange | null = null;

  constructor(socket: Socket, address: string, writes: WriteQueue) {
    this.socket = socket;
    this.address = address;
    this.#writes = writes;
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.once('end', () => this.#onEnd());
    socket.once('close', () => {
      this.#exchange?.fail(new RequestError('connection'));
      this.onClose();
    });
  }

  /** In milliseconds: how long the connection may still take another request; at most 0 when it may not. */
  reusableMs(): number {
    return this.socket.writable && !this.socket.destroyed ? this.#reusableUntil - performance.now() : 0;
  }

  /**
   * Sends one request and reads its response into `response`, which keeps the parts that arrived before a failure.
   * A failure closes the connection.
   *
   * @throws RequestError `connection`, `timeout`, or `too_large`
   */
  async exchange(request: Buffer, response: HttpResponse, deadline: AbortSignal): Promise<void> {
    const reader = new ResponseReader(response);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onDeadline = () => reject(new RequestError('timeout'));
    deadline.addEventListener('abort', onDeadline);
    this.uses += 1;
    this.heard = false;
    try {
      if (deadline.aborted) throw new RequestError('timeout');
      if (this.socket.destroyed) throw new RequestError('connection');
      this.#exchange = { reader, complete: resolve, fail: reject };
      this.#writes.write(this.socket, request);
      await promise;
      this.#reusableUntil = reader.keepAlive
        ? performance.now() + Math.min(IDLE_MS, reader.keepAliveMs - SAFETY_MS)
        : 0;
    } catch (error) {
      this.socket.destroy();
      throw error;
    } finally {
      this.#exchange = null;
      deadline.removeEventListener('abort', onDeadline);
      if (response.status !== null) response.text = reader.text();
    }
  }

  #onData(bytes: Buffer): void {
    this.heard = true;
    const exchange = this.#exchange;
    if (!exchange) {
      // Unrequested bytes: they must not become the answer to the next request.
      this.socket.destroy();
      return;
    }
    try {
      if (exchange.reader.read(bytes)) this.#complete(exchange);
    } catch (error) {
      this.#exchange = null;
      exchange.fail(error instanceof RequestError ? error : new RequestError('connection', error));
    }
  }

  #onEnd(): void {
    const exchange = this.#exchange;
    if (exchange?.reader.end()) this.#complete(exchange);
    else this.socket.destroy();
  }

  /** Ends the exchange in this turn: bytes that follow in the same turn already count as unrequested. */
  #complete(exchange: Exchange): void {
    this.#exchange = null;
    exchange.complete();
  }
}
