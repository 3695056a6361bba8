import type { Connection } from './exchange.ts';

/** Each holds about 100 KB, most of it in OpenSSL. */
const MOST_IDLE = 512;
/** Of these, at hosts that were met once: where each delivery goes to another host, nobody comes back for them. */
const MOST_ONCE = 64;
/** A network has 8 requests under way at most, and so has a host. */
const MAX_IDLE_EACH = 8;
const SWEEP_MS = 500;

const ignore = () => {};

/** Connections that have answered and wait for another delivery to the same host, port and checked address. */
export class IdleConnections {
  readonly #byKey = new Map<string, Connection[]>();
  /** Those that have served once, at hosts that have no other. */
  readonly #once = new Map<string, Connection>();
  #count = 0;
  #closed = false;
  #sweeper: NodeJS.Timeout | undefined;

  take(key: string): Connection | undefined {
    const waiting = this.#byKey.get(key);
    // The one used last is the likeliest to live.
    const connection = waiting?.pop();
    if (!waiting || !connection) return undefined;
    this.#removed(key, waiting);
    connection.onEnd = ignore;
    if (mayServe(connection, performance.now())) {
      connection.socket.ref();
      return connection;
    }
    connection.socket.destroy();
    return this.take(key);
  }

  /** A promise where it takes a turn of the event loop until it waits here for whoever sends there next. */
  put(key: string, connection: Connection): Promise<void> | null {
    if (connection.socket.writableLength === 0) {
      this.#keep(key, connection);
      return null;
    }
    // TLS tells of what it has written a turn later. What the other side has not taken by then, with its answer sent, it
    // will not take as another request.
    return new Promise((resolve) =>
      setImmediate(() => {
        if (connection.socket.writableLength === 0 && !this.#closed) this.#keep(key, connection);
        else this.#end(key, connection);
        resolve();
      }),
    );
  }

  #keep(key: string, connection: Connection): void {
    if (!mayServe(connection, performance.now())) return this.#end(key, connection);
    const waiting = this.#byKey.get(key) ?? [];
    // When there are too many, a host's second one goes before another host's only one: hosts come round in turn, and the
    // one that was used longest ago is the next to be asked for.
    const full = this.#count >= MOST_IDLE;
    if (waiting.length >= MAX_IDLE_EACH || (waiting.length > 0 && full)) return this.#end(key, connection);
    waiting.push(connection);
    // To the end of the order: the first is the host that was used longest ago.
    this.#byKey.delete(key);
    this.#byKey.set(key, waiting);
    this.#count += 1;
    // By a name: a function literal that is assigned to a property is an old object to V8 from the start.
    const remove = () => this.#remove(key, connection);
    connection.onEnd = remove;
    connection.socket.unref();
    // One timer for all of them: each of them comes and goes with every delivery.
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    if (waiting.length === 1 && connection.uses === 1) this.#once.set(key, connection);
    else this.#once.delete(key);
    const [once] = this.#once;
    if (once && this.#once.size > MOST_ONCE) this.#end(once[0], once[1]);
    const [oldest] = this.#byKey;
    if (full && oldest?.[1][0]) this.#end(oldest[0], oldest[1][0]);
  }

  close(): void {
    this.#closed = true;
    this.#endAll(() => true);
  }

  #removed(key: string, waiting: Connection[]): void {
    this.#count -= 1;
    this.#once.delete(key);
    if (waiting.length === 0) this.#byKey.delete(key);
  }

  #remove(key: string, connection: Connection): void {
    const waiting = this.#byKey.get(key);
    const at = waiting?.indexOf(connection) ?? -1;
    if (!waiting || at < 0) return;
    waiting.splice(at, 1);
    this.#removed(key, waiting);
  }

  #end(key: string, connection: Connection): void {
    this.#remove(key, connection);
    connection.socket.destroy();
  }

  #endAll(which: (connection: Connection) => boolean): void {
    for (const [key, waiting] of this.#byKey) for (const one of waiting.slice()) if (which(one)) this.#end(key, one);
  }

  #sweep(): void {
    const now = performance.now();
    this.#endAll((one) => !mayServe(one, now));
    if (this.#count > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

/** Neither ended nor, as far as can be told, about to be by the other side. */
function mayServe({ socket, keptUntil }: Connection, now: number): boolean {
  return now < keptUntil && socket.writable && !socket.destroyed;
}
