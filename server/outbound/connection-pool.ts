import type { Deadline } from './deadline.ts';
import type { Connection } from './connection.ts';

/** Each holds about 100 KB, most of it in OpenSSL. */
const MOST_IDLE = 512;
/** Of these, at hosts that were met once: where each delivery goes to another host, nobody comes back for them. */
const MOST_ONCE = 64;
/** A network has 8 requests under way at most, and so has a host. */
const MAX_IDLE_EACH = 8;
const SWEEP_MS = 500;

type Answer = (connection: Connection | undefined) => void;
type InUse = {
  /** Being opened, or with a request under way. */
  connections: number;
  /** Who wait for the next of them to be done, in the order they came. */
  asking: Set<Answer>;
};

const ignore = () => {};

/**
 * Connections by the host and port that they lead to. Each is used for one request at a time; when that was answered it goes
 * to whoever waits for one, or waits itself for another delivery.
 */
export class ConnectionPool {
  readonly #idle = new Map<string, Connection[]>();
  /** Those that have served once, at hosts that have no other. */
  readonly #once = new Map<string, Connection>();
  readonly #inUse = new Map<string, InUse>();
  #count = 0;
  #closed = false;
  #sweeper: NodeJS.Timeout | undefined;

  /** One that waits, and leads to one of the addresses. */
  take(host: string, addresses: readonly string[]): Connection | undefined {
    const waiting = this.#idle.get(host);
    // The one used last is the likeliest to live.
    const connection = waiting?.pop();
    if (!waiting || !connection) return undefined;
    this.#removed(host, waiting);
    connection.onEnd = ignore;
    if (mayServe(connection, performance.now()) && addresses.includes(connection.address)) {
      connection.socket.ref();
      this.#begin(host);
      this.#use(host, connection);
      return connection;
    }
    connection.socket.destroy();
    return this.take(host, addresses);
  }

  /** Whether one is in use, or being opened. */
  isUsed(host: string): boolean {
    return this.#inUse.has(host);
  }

  /**
   * The next one at the host that is done with its request. Nothing when that takes longer than `patienceMs`, when none is
   * in use, or when one has ended and another may take its place.
   */
  async next(
    host: string,
    addresses: readonly string[],
    { patienceMs, deadline }: { patienceMs: number; deadline: Deadline },
  ): Promise<Connection | undefined> {
    const asking = this.#inUse.get(host)?.asking;
    if (!asking) return undefined;
    const connection = await new Promise<Connection | undefined>((resolve) => {
      const answer: Answer = (given) => {
        clearTimeout(timer);
        deadline.removeEventListener('abort', onAbort);
        asking.delete(answer);
        resolve(given);
      };
      const onAbort = () => answer(undefined);
      // Of a process that had to wait for a processor, all that is due comes first: what has arrived is looked at before.
      const timer = setTimeout(() => setImmediate(onAbort), patienceMs);
      deadline.addEventListener('abort', onAbort);
      asking.add(answer);
    });
    if (!connection || addresses.includes(connection.address)) return connection;
    connection.socket.destroy();
    return undefined;
  }

  /** Has one opened, which counts as in use from now on. */
  async open(host: string, open: () => Promise<Connection>): Promise<Connection> {
    this.#begin(host);
    try {
      const connection = await open();
      this.#use(host, connection);
      return connection;
    } catch (error) {
      this.#end(host);
      throw error;
    }
  }

  /** A promise where it takes a turn of the event loop until it is there for whoever sends to the host next. */
  put(host: string, connection: Connection): Promise<void> | null {
    if (connection.socket.writableLength === 0) {
      this.#pass(host, connection);
      return null;
    }
    // TLS tells of what it has written a turn later. What the other side has not taken by then, with its answer sent, it
    // will not take as another request.
    return new Promise((resolve) =>
      setImmediate(() => {
        if (connection.socket.writableLength === 0 && !this.#closed) this.#pass(host, connection);
        else connection.socket.destroy();
        resolve();
      }),
    );
  }

  close(): void {
    this.#closed = true;
    this.#endAll(() => true);
  }

  #begin(host: string): void {
    const inUse = this.#inUse.get(host);
    if (inUse) inUse.connections += 1;
    else this.#inUse.set(host, { connections: 1, asking: new Set() });
  }

  /** Until it is put back; it counts until it has closed otherwise. */
  #use(host: string, connection: Connection): void {
    // By a name: a function literal that is assigned to a property is an old object to V8 from the start.
    const end = () => this.#end(host);
    connection.onEnd = end;
  }

  /** One less is in use; who asked first opens another in its place, and the others go on waiting. */
  #end(host: string): void {
    const inUse = this.#inUse.get(host);
    if (!inUse) return;
    inUse.connections -= 1;
    const [first] = inUse.asking;
    first?.(undefined);
    if (inUse.connections === 0 && inUse.asking.size === 0) this.#inUse.delete(host);
  }

  /** To whoever asked first, or among those that wait. */
  #pass(host: string, connection: Connection): void {
    if (!mayServe(connection, performance.now())) {
      connection.socket.destroy();
      return;
    }
    const [first] = this.#inUse.get(host)?.asking ?? [];
    if (first) first(connection);
    else {
      connection.onEnd = ignore;
      this.#end(host);
      this.#keep(host, connection);
    }
  }

  #keep(host: string, connection: Connection): void {
    const waiting = this.#idle.get(host) ?? [];
    // When there are too many, a host's second one goes before another host's only one: hosts come round in turn, and the
    // one that was used longest ago is the next to be asked for.
    const full = this.#count >= MOST_IDLE;
    if (waiting.length >= MAX_IDLE_EACH || (waiting.length > 0 && full)) {
      connection.socket.destroy();
      return;
    }
    waiting.push(connection);
    // To the end of the order: the first is the host that was used longest ago.
    this.#idle.delete(host);
    this.#idle.set(host, waiting);
    this.#count += 1;
    const remove = () => this.#remove(host, connection);
    connection.onEnd = remove;
    connection.socket.unref();
    // One timer for all of them: each of them comes and goes with every delivery.
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    if (waiting.length === 1 && connection.uses === 1) this.#once.set(host, connection);
    else this.#once.delete(host);
    const [once] = this.#once;
    if (once && this.#once.size > MOST_ONCE) this.#forget(once[0], once[1]);
    const [oldest] = this.#idle;
    if (full && oldest?.[1][0]) this.#forget(oldest[0], oldest[1][0]);
  }

  #removed(host: string, waiting: Connection[]): void {
    this.#count -= 1;
    this.#once.delete(host);
    if (waiting.length === 0) this.#idle.delete(host);
  }

  #remove(host: string, connection: Connection): void {
    const waiting = this.#idle.get(host);
    const at = waiting?.indexOf(connection) ?? -1;
    if (!waiting || at < 0) return;
    waiting.splice(at, 1);
    this.#removed(host, waiting);
  }

  #forget(host: string, connection: Connection): void {
    this.#remove(host, connection);
    connection.socket.destroy();
  }

  #endAll(which: (connection: Connection) => boolean): void {
    for (const [host, waiting] of this.#idle)
      for (const one of waiting.slice()) if (which(one)) this.#forget(host, one);
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
