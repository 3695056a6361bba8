import type { Connection } from './exchange.ts';

/** Each holds about 100 KB, most of it in OpenSSL. */
const MAX_IDLE = 256;
/** A network has 8 requests under way at most, and so has a host. */
const MAX_IDLE_EACH = 8;

/** Connections that have answered and wait for another delivery to the same host, port and checked address. */
export type IdleConnections = {
  take(key: string): Connection | undefined;
  put(key: string, connection: Connection): void;
  close(): void;
};

export function createIdleConnections(): IdleConnections {
  const byKey = new Map<string, Connection[]>();
  let count = 0;

  function remove(key: string, connection: Connection): void {
    const waiting = byKey.get(key);
    const at = waiting?.indexOf(connection) ?? -1;
    if (!waiting || at < 0) return;
    waiting.splice(at, 1);
    count -= 1;
    if (waiting.length === 0) byKey.delete(key);
  }

  function end(key: string, connection: Connection): void {
    remove(key, connection);
    connection.client.destroy(null, () => {});
    connection.socket.destroy();
  }

  return {
    take(key) {
      // The one used last is the likeliest to live.
      const connection = byKey.get(key)?.at(-1);
      if (!connection) return undefined;
      remove(key, connection);
      return connection.socket.destroyed ? this.take(key) : connection;
    },
    put(key, connection) {
      const waiting = byKey.get(key) ?? [];
      // The client closes the socket when it was idle for long, and the other side may do so earlier. When there are too
      // many, a host's second one goes before another host's only one: hosts come round in turn, and the one that was used
      // longest ago is the next to be asked for.
      const enough = waiting.length >= MAX_IDLE_EACH || (waiting.length > 0 && count >= MAX_IDLE);
      if (enough || connection.socket.destroyed) return end(key, connection);
      waiting.push(connection);
      // To the end of the order: the first is the host that was used longest ago.
      byKey.delete(key);
      byKey.set(key, waiting);
      count += 1;
      connection.onEnd = () => remove(key, connection);
      const [oldest] = byKey;
      if (count > MAX_IDLE && oldest?.[1][0]) end(oldest[0], oldest[1][0]);
    },
    close() {
      for (const [key, waiting] of byKey) for (const connection of waiting.slice()) end(key, connection);
    },
  };
}
