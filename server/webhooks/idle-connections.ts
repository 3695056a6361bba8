import type { Connection } from './exchange.ts';

/** Each holds about 100 KB, most of it in OpenSSL. */
const MAX_IDLE = 256;
/** A network has 8 requests under way at most, and so has a host. */
const MAX_IDLE_EACH = 8;
const SWEEP_MS = 500;

/** Connections that have answered and wait for another delivery to the same host, port and checked address. */
export type IdleConnections = {
  take(key: string): Connection | undefined;
  put(key: string, connection: Connection): void;
  close(): void;
};

export function createIdleConnections(): IdleConnections {
  const byKey = new Map<string, Connection[]>();
  let count = 0;
  let sweeper: NodeJS.Timeout | undefined;

  function removed(key: string, waiting: Connection[], by: number): void {
    count -= by;
    if (waiting.length > 0) return;
    byKey.delete(key);
    if (byKey.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function remove(key: string, connection: Connection): void {
    const waiting = byKey.get(key);
    const at = waiting?.indexOf(connection) ?? -1;
    if (!waiting || at < 0) return;
    waiting.splice(at, 1);
    removed(key, waiting, 1);
  }

  function end(key: string, connection: Connection): void {
    remove(key, connection);
    connection.socket.destroy();
  }

  function endAll(which: (connection: Connection) => boolean): void {
    for (const [key, waiting] of byKey) for (const one of waiting.slice()) if (which(one)) end(key, one);
  }

  return {
    take(key) {
      const waiting = byKey.get(key);
      // The one used last is the likeliest to live.
      const connection = waiting?.pop();
      if (!waiting || !connection) return undefined;
      removed(key, waiting, 1);
      connection.onEnd = () => {};
      if (mayServe(connection, performance.now())) {
        connection.socket.ref();
        return connection;
      }
      connection.socket.destroy();
      return this.take(key);
    },
    put(key, connection) {
      const waiting = byKey.get(key) ?? [];
      // When there are too many, a host's second one goes before another host's only one: hosts come round in turn, and the
      // one that was used longest ago is the next to be asked for.
      const enough = waiting.length >= MAX_IDLE_EACH || (waiting.length > 0 && count >= MAX_IDLE);
      if (enough || !mayServe(connection, performance.now())) return end(key, connection);
      waiting.push(connection);
      // To the end of the order: the first is the host that was used longest ago.
      byKey.delete(key);
      byKey.set(key, waiting);
      count += 1;
      connection.onEnd = () => remove(key, connection);
      connection.socket.unref();
      // One timer for all of them: each of them comes and goes with every delivery.
      sweeper ??= setInterval(() => endAll((one) => !mayServe(one, performance.now())), SWEEP_MS).unref();
      const [oldest] = byKey;
      if (count > MAX_IDLE && oldest?.[1][0]) end(oldest[0], oldest[1][0]);
    },
    close: () => endAll(() => true),
  };
}

/** Neither ended nor, as far as can be told, about to be by the other side. */
function mayServe({ socket, keptUntil }: Connection, now: number): boolean {
  return now < keptUntil && socket.writable && !socket.destroyed;
}
