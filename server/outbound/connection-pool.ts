import type { Connection } from './connection.ts';

/** An idle connection holds about 100 KB, most of it in OpenSSL. */
const MAX_IDLE = 512;
/**
 * Idle connections that have carried one request, to hosts with no other idle connection. A fan-out to hosts of their own
 * does not come back to them. By estimate, 512 instead of 64 would cost 45 MB.
 */
const MAX_IDLE_USED_ONCE = 64;
/** The sender has at most 8 requests in flight to a network, and so to a host. */
const MAX_IDLE_PER_ORIGIN = 8;

type Waiter = (connection: Connection | undefined) => void;

type Origin = {
  idle: Connection[];
  /** Connections with a request in flight. */
  active: Set<Connection>;
  /** Connections that are being opened. */
  opening: number;
  /** Requests that wait for an active connection, oldest first. */
  waiters: Set<Waiter>;
};

/** Keeps the open connections by origin (scheme, host, and port). Each connection carries one request at a time. */
export class ConnectionPool {
  readonly #origins = new Map<string, Origin>();
  /** Every idle connection with the timer that closes it, longest idle first. */
  readonly #idle = new Map<Connection, { origin: string; timer: NodeJS.Timeout }>();
  readonly #usedOnce = new Set<Connection>();
  #closed = false;

  /** Takes an idle connection that leads to one of the addresses. The last one used is the likeliest to be alive. */
  take(origin: string, addresses: readonly string[]): Connection | undefined {
    const idle = this.#origins.get(origin)?.idle ?? [];
    for (let connection = idle.at(-1); connection; connection = idle.at(-1)) {
      this.#removeIdle(connection);
      if (connection.reusableMs() > 0 && addresses.includes(connection.address)) {
        connection.socket.ref();
        this.#originOf(origin).active.add(connection);
        return connection;
      }
      connection.socket.destroy();
    }
    return undefined;
  }

  /** Tells whether a connection to the origin is active or being opened. */
  isInUse(origin: string): boolean {
    const state = this.#origins.get(origin);
    return state !== undefined && state.active.size + state.opening > 0;
  }

  /**
   * Waits for the next active connection of the origin that finishes its request. Returns undefined when that takes
   * longer than `maxWaitMs`, when no connection is in use, or when one has closed and a new one may take its place.
   */
  async waitFor(
    origin: string,
    addresses: readonly string[],
    { maxWaitMs, deadline }: { maxWaitMs: number; deadline: AbortSignal },
  ): Promise<Connection | undefined> {
    if (!this.isInUse(origin)) return undefined;
    const { waiters } = this.#originOf(origin);
    const { promise, resolve } = Promise.withResolvers<Connection | undefined>();
    const giveUp = () => {
      waiters.delete(resolve);
      resolve(undefined);
    };
    // After a stall, timers fire before I/O: pending I/O gets one turn before the wait ends.
    const timer = setTimeout(() => setImmediate(giveUp), maxWaitMs);
    deadline.addEventListener('abort', giveUp);
    waiters.add(resolve);
    const connection = await promise;
    clearTimeout(timer);
    deadline.removeEventListener('abort', giveUp);
    this.#forgetUnused(origin);
    if (!connection || addresses.includes(connection.address)) return connection;
    connection.socket.destroy();
    return undefined;
  }

  /** Opens a connection, which counts as in use from now on. */
  async open(origin: string, connect: () => Promise<Connection>): Promise<Connection> {
    const state = this.#originOf(origin);
    state.opening += 1;
    try {
      const connection = await connect();
      state.active.add(connection);
      connection.onClose = () => this.#onClose(origin, connection);
      return connection;
    } catch (error) {
      this.#wakeWaiter(origin);
      throw error;
    } finally {
      state.opening -= 1;
      this.#forgetUnused(origin);
    }
  }

  /** Takes an active connection back after a complete response. */
  async release(origin: string, connection: Connection): Promise<void> {
    // TLS reports its writes one turn later. If the server has not read the whole request by then, it will not read
    // another one.
    if (connection.socket.writableLength > 0) await new Promise((resolve) => setImmediate(resolve));
    if (this.#closed || connection.socket.writableLength > 0 || connection.reusableMs() <= 0) {
      connection.socket.destroy();
      return;
    }
    const state = this.#originOf(origin);
    const [waiter] = state.waiters;
    if (waiter) {
      state.waiters.delete(waiter);
      waiter(connection);
      return;
    }
    state.active.delete(connection);
    this.#addIdle(origin, connection);
  }

  /** Closes the idle connections. Active ones close when they are released. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.keys()) this.#closeIdle(connection);
  }

  #addIdle(origin: string, connection: Connection): void {
    const { idle } = this.#originOf(origin);
    const full = this.#idle.size >= MAX_IDLE;
    // A full pool drops a second connection of this origin rather than the only one of another: a fan-out visits origins
    // in turn, so the longest idle origin is the next one it needs.
    if (idle.length >= MAX_IDLE_PER_ORIGIN || (full && idle.length > 0)) {
      connection.socket.destroy();
      this.#forgetUnused(origin);
      return;
    }
    const timer = setTimeout(() => this.#closeIdle(connection), connection.reusableMs()).unref();
    for (const other of idle) this.#usedOnce.delete(other);
    if (idle.length === 0 && connection.uses === 1) this.#usedOnce.add(connection);
    idle.push(connection);
    this.#idle.set(connection, { origin, timer });
    connection.socket.unref();
    const [oldest] = this.#idle.keys();
    if (full && oldest) this.#closeIdle(oldest);
    const [oldestUsedOnce] = this.#usedOnce;
    if (oldestUsedOnce && this.#usedOnce.size > MAX_IDLE_USED_ONCE) this.#closeIdle(oldestUsedOnce);
  }

  #closeIdle(connection: Connection): void {
    this.#removeIdle(connection);
    connection.socket.destroy();
  }

  /** Returns false when the connection was not idle. */
  #removeIdle(connection: Connection): boolean {
    const entry = this.#idle.get(connection);
    if (!entry) return false;
    clearTimeout(entry.timer);
    this.#idle.delete(connection);
    this.#usedOnce.delete(connection);
    const idle = this.#origins.get(entry.origin)?.idle ?? [];
    idle.splice(idle.indexOf(connection), 1);
    this.#forgetUnused(entry.origin);
    return true;
  }

  #onClose(origin: string, connection: Connection): void {
    if (this.#removeIdle(connection)) return;
    if (this.#origins.get(origin)?.active.delete(connection)) this.#wakeWaiter(origin);
  }

  /** One connection fewer: the oldest waiter opens a new one in its place. */
  #wakeWaiter(origin: string): void {
    const waiters = this.#origins.get(origin)?.waiters;
    const [waiter] = waiters ?? [];
    if (waiter) {
      waiters?.delete(waiter);
      waiter(undefined);
    }
    this.#forgetUnused(origin);
  }

  #originOf(origin: string): Origin {
    const known = this.#origins.get(origin);
    if (known) return known;
    const created: Origin = { idle: [], active: new Set(), opening: 0, waiters: new Set() };
    this.#origins.set(origin, created);
    return created;
  }

  #forgetUnused(origin: string): void {
    const state = this.#origins.get(origin);
    if (!state) return;
    const { idle, active, opening, waiters } = state;
    if (idle.length + active.size + opening + waiters.size === 0) this.#origins.delete(origin);
  }
}
