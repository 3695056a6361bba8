import type { Clock } from '../context.ts';
import { networkOf } from './address-guard.ts';
import type { Answer } from './answer-reader.ts';
import { AttemptFailed } from './attempt-failed.ts';
import { AttemptDeadline, type Deadline } from './deadline.ts';
import type { DeliveryFailure, DeliveryOutcome } from './delivery.ts';
import { exchange, openConnection, requestBytes } from './exchange.ts';
import { IdleConnections } from './idle-connections.ts';
import { createNameResolver } from './resolve.ts';
import { type Target, createTargets } from './targets.ts';
import { type TlsConnector, createTlsConnector } from './tls-connect.ts';
import { createWriteQueue } from './write-queue.ts';

const DEADLINE_MS = 5_000;
const MOST_NETWORKS = 10_000;

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
};

/**
 * Posts to URLs that strangers chose. It connects only to addresses that were checked, once, for this delivery: names are
 * resolved here, and the connection is made to the address. No redirect is followed, no cookie, proxy or compression is
 * used, and of an answer no more is read than anybody needs.
 */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { development, clock, ca, dnsServers: servers, lookups } = options;
  const resolver = createNameResolver({ development, clock, servers, lookups });
  const targets = createTargets({ development, resolver });
  const networks = createNetworks();
  const { post, close } = createPoster(createTlsConnector({ ca }));
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
      const startedAt = clock.now().getTime();
      const deadline = start(deadlineMs);
      const seen: Answer = { status: null, failure: null, text: null };
      let failure: DeliveryFailure | null;
      let network: string | null = null;
      try {
        const target = targets.known(url) ?? (await targets.find(url, deadline));
        network = networks.of(target.addresses[0] ?? '');
        const request = requestBytes({ host: target.host, path: target.path, headers, body });
        network = networks.of(await post(target, request, deadline, seen));
        failure = seen.failure;
      } catch (error) {
        const cause = error instanceof AttemptFailed ? error.failure : 'connection';
        // An answer that failed by its head says more than how its body ended.
        failure = seen.failure ?? (closed && cause === 'timeout' ? 'connection' : cause);
      }
      end(deadline);
      const latencyMs = Math.max(0, clock.now().getTime() - startedAt);
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

/** Sends over a connection that waited, if there is one to a checked address, else over a new one. */
function createPoster(connector: TlsConnector) {
  const idle = new IdleConnections();
  const writes = createWriteQueue();

  return {
    /** The address that answered. */
    async post(target: Target, request: Buffer, deadline: Deadline, seen: Answer): Promise<string> {
      for (const { address, key } of target.places) {
        const connection = idle.take(key);
        if (!connection) continue;
        try {
          await exchange(connection, request, { deadline, seen, writes });
          const kept = idle.put(key, connection);
          if (kept) await kept;
          return address;
        } catch (error) {
          // The other side had closed it before the request came: nothing was answered, and it is sent over a new one.
          const stale = error instanceof AttemptFailed && error.failure === 'connection' && !connection.heard;
          if (!stale || deadline.aborted) throw error;
          break;
        }
      }
      const { socket, address } = await connector.connect(target, target.addresses, deadline);
      const connection = openConnection(socket);
      await exchange(connection, request, { deadline, seen, writes });
      const place = target.places.find((one) => one.address === address);
      await (place && idle.put(place.key, connection));
      return address;
    },
    close: () => idle.close(),
  };
}
