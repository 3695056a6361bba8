import { networkOf } from './address-guard.ts';
import type { Answer } from './response-reader.ts';
import { AttemptFailed } from './request-failure.ts';
import { ConnectionPool } from './connection-pool.ts';
import { AttemptDeadline, type Deadline } from './deadline.ts';
import type { DeliveryFailure, DeliveryOutcome } from '../ports/webhooks.ts';
import { createEventLoopLoad } from './event-loop-load.ts';
import { type Connection, exchange, openConnection, requestBytes } from './connection.ts';
import { createNameResolver } from './name-resolver.ts';
import { type Target, createTargets } from './targets.ts';
import { type TlsConnector, createTlsConnector } from './tls-connector.ts';
import { createWriteQueue } from './write-queue.ts';
import type { Clock } from '../ports/clock.ts';

const DEADLINE_MS = 5_000;
const MOST_NETWORKS = 10_000;
// A connection costs as much work as ten deliveries over one that is there. A process that has time opens it at once; one
// that is at work for more than so much of its time waits a little for one that is in use.
const BUSY = 0.5;
const PATIENCE_MS = 200;

export type Delivery = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** For everything: the name, the connection, TLS, the answer to its last byte. 5 s without. */
  deadlineMs?: number;
};

export type Deliverer = {
  /** One POST. Never throws: whatever happens is an outcome. */
  deliver(delivery: Delivery): Promise<DeliveryOutcome>;
  /**
   * The network that a delivery to the URL goes to, for a cap on each; null where none can be made, which `deliver` then
   * tells of. A delivery that follows within seconds uses the same answer of DNS.
   */
  networkOf(url: string, deadlineMs?: number): Promise<string | null>;
  /** Ends what is under way, as `connection`, and every connection. */
  close(): void;
};

export type DelivererOptions = {
  /** Of a development start: receivers on loopback are allowed, on any port and without TLS too. */
  development: boolean;
  clock: Clock;
  /** In place of the system's authorities. */
  ca?: string;
  /** `address:port` of the servers to ask; without, the system's. */
  dnsServers?: string[];
  /** Names asked for at once. */
  lookups?: number;
  /** How much of its time the process is at work, 0 to 1; measured without. */
  load?: () => number;
};

/**
 * Posts to URLs that strangers chose. It connects only to addresses that were checked, once, for this delivery: names are
 * resolved here, and the connection is made to the address. No redirect is followed, no cookie, proxy or compression is
 * used, and of an answer no more is read than anybody needs.
 */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { development, clock, ca, dnsServers: servers, lookups, load = createEventLoopLoad().utilization } = options;
  const resolver = createNameResolver({ development, clock, servers, lookups });
  const targets = createTargets({ development, resolver });
  const networks = createNetworks();
  const { post, close } = createPoster(createTlsConnector({ ca }), load);
  const underWay = new Set<AttemptDeadline>();
  let closed = false;

  function start(deadlineMs: number): AttemptDeadline {
    const deadline = new AttemptDeadline(deadlineMs);
    underWay.add(deadline);
    if (closed) deadline.abort();
    return deadline;
  }

  function end(deadline: AttemptDeadline): void {
    deadline.end();
    underWay.delete(deadline);
  }

  return {
    async deliver({ url, headers, body, deadlineMs = DEADLINE_MS }) {
      const startedAt = performance.now();
      const deadline = start(deadlineMs);
      const seen: Answer = { status: null, failure: null, text: null };
      let failure: DeliveryFailure | null;
      let network: string | null = null;
      try {
        const target = targets.known(url) ?? (await targets.find(url, deadline));
        network = networks.of(target.addresses[0] ?? '');
        const bytes = requestBytes({ host: target.host, path: target.path, headers, body });
        network = networks.of(await post(target, { bytes, deadline, seen }));
        failure = seen.failure;
      } catch (error) {
        const cause = error instanceof AttemptFailed ? error.failure : 'connection';
        // An answer that failed by its head says more than how its body ended.
        failure = seen.failure ?? (closed && cause === 'timeout' ? 'connection' : cause);
      }
      end(deadline);
      const latencyMs = Math.round(performance.now() - startedAt);
      return { ok: failure === null, status: seen.status, failure, latencyMs, answer: seen.text, network };
    },
    async networkOf(url, deadlineMs = DEADLINE_MS) {
      const deadline = start(deadlineMs);
      const target = targets.known(url) ?? (await targets.find(url, deadline).catch(() => null));
      end(deadline);
      return target && networks.of(target.addresses[0] ?? '');
    },
    close() {
      closed = true;
      for (const deadline of underWay) deadline.abort();
      resolver.close();
      close();
    },
  };
}

/** The networks of the last addresses: many deliveries go to few. */
function createNetworks(): { of(address: string): string } {
  const found = new Map<string, string>();
  return {
    of(address) {
      const known = found.get(address);
      if (known !== undefined) return known;
      const network = networkOf(address);
      if (found.size >= MOST_NETWORKS) found.clear();
      found.set(address, network);
      return network;
    },
  };
}

type Sending = { bytes: Buffer; deadline: Deadline; seen: Answer };

/** Sends over a connection that is there, if it leads to a checked address, else over a new one. */
function createPoster(connector: TlsConnector, load: () => number) {
  const pool = new ConnectionPool();
  const writes = createWriteQueue();

  async function send(connection: Connection, { origin }: Target, { bytes, deadline, seen }: Sending): Promise<string> {
    await exchange(connection, bytes, { deadline, seen, writes });
    const put = pool.put(origin, connection);
    if (put) await put;
    return connection.address;
  }

  return {
    /** The address that answered. */
    async post(target: Target, sending: Sending): Promise<string> {
      const { origin, addresses } = target;
      const { deadline } = sending;
      let connection = pool.take(origin, addresses);
      if (!connection && load() > BUSY && pool.isUsed(origin))
        connection = await pool.next(origin, addresses, { patienceMs: PATIENCE_MS, deadline });
      try {
        if (connection) return await send(connection, target, sending);
      } catch (error) {
        // The other side had closed it before the request came: nothing was answered, and it is sent over a new one.
        const stale = error instanceof AttemptFailed && error.failure === 'connection' && !connection?.heard;
        if (!stale || deadline.aborted) throw error;
      }
      const opened = await pool.open(origin, async () => {
        const { socket, address } = await connector.connect(target, addresses, deadline);
        return openConnection(socket, address);
      });
      return await send(opened, target, sending);
    },
    close: () => pool.close(),
  };
}
