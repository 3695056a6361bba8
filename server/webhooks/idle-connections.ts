import type { Connection } from './exchange.ts';

/**
 * Each holds about 100 KB, most of it in OpenSSL. Where each delivery goes to another host nobody comes back for them, so
 * there are more only when they are asked for: each that is taken makes room for one, each that gives way takes a tenth.
 */
const LEAST_IDLE = 64;
const MOST_IDLE = 512;
const LESS = 0.1;
/** A network has 8 requests under way at most, and so has a host. */
const MAX_IDLE_EACH = 8;
const SWEEP_MS = 500;

/** Connections that have answered and wait for another delivery to the same host, port and checked address. */
export class IdleConnections {
  readonly #byKey = new Map<string, Connection[]>();
  #count = 0;
  #room = LEAST_IDLE;
  #sweeper: NodeJS.Timeout | undefined;

  take(key: string): Connection | undefined {
    const waiting = this.#byKey.get(key);
    // The one used last is the likeliest to live.
    const connection = waiting?.pop();
    if (!waiting || !connection) return undefined;
    this.#removed(key, waiting);
    connection.onEnd = () => {};
    if (mayServe(connection, performance.now())) {
      this.#room = Math.min(MOST_IDLE, this.#room + 1);
      connection.socket.ref();
      return connection;
    }
    connection.socket.destroy();
    return this.take(key);
  }

  put(key: string, connection: Connection): void {
    if (!mayServe(connection, performance.now())) return this.#end(key, connection);
    const waiting = this.#byKey.get(key) ?? [];
    // When there are too many, a host's second one goes before another host's only one: hosts come round in turn, and the
    // one that was used longest ago is the next to be asked for.
    const full = this.#count >= this.#room;
    if (waiting.length >= MAX_IDLE_EACH || (waiting.length > 0 && full)) return this.#giveWay(key, connection);
    waiting.push(connection);
    // To the end of the order: the first is the host that was used longest ago.
    this.#byKey.delete(key);
    this.#byKey.set(key, waiting);
    this.#count += 1;
    connection.onEnd = () => this.#remove(key, connection);
    connection.socket.unref();
    // One timer for all of them: each of them comes and goes with every delivery.
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    const [oldest] = this.#byKey;
    if (full && oldest?.[1][0]) this.#giveWay(oldest[0], oldest[1][0]);
  }

  close(): void {
    this.#endAll(() => true);
  }

  #removed(key: string, waiting: Connection[]): void {
    this.#count -= 1;
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

  #giveWay(key: string, connection: Connection): void {
    this.#room = Math.max(LEAST_IDLE, this.#room - LESS);
    this.#end(key, connection);
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
