import type { Clock } from '../context.ts';
import { isForbiddenAddress, networkOf, webhookPorts } from './address-guard.ts';
import { AttemptFailed } from './attempt-failed.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { type Answer, type Post, exchange, openConnection } from './exchange.ts';
import { createIdleConnections } from './idle-connections.ts';
import { type NameResolver, createNameResolver } from './resolve.ts';
import { type Endpoint, type TlsConnector, createTlsConnector } from './tls-connect.ts';

const DEADLINE_MS = 5_000;

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

type Target = Endpoint & { origin: string; path: string; addresses: string[] };

/**
 * Posts to URLs that strangers chose. It connects only to addresses that were checked, once, for this delivery: names are
 * resolved here, and the connection is made to the address. No redirect is followed, no cookie, proxy or compression is
 * used, and of an answer no more is read than anybody needs.
 */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const { development, clock, ca, dnsServers: servers, lookups } = options;
  const resolver = createNameResolver({ development, clock, servers, lookups });
  const { post, close } = createPoster(createTlsConnector({ ca }));
  const underWay = new Set<AbortController>();
  let closed = false;

  async function attempt({ url, headers, body }: Delivery, signal: AbortSignal, outcome: DeliveryOutcome) {
    const seen: Answer = { status: null, failure: null, text: null };
    try {
      const target = await targetOf(url, { development, resolver, signal });
      outcome.network = networkOf(target.addresses[0] ?? '');
      outcome.network = networkOf(await post(target, { path: target.path, headers, body }, signal, seen));
      outcome.failure = seen.failure;
      outcome.ok = seen.failure === null;
    } catch (error) {
      const failure = error instanceof AttemptFailed ? error.failure : 'connection';
      // An answer that failed by its head says more than how its body ended.
      outcome.failure = seen.failure ?? (closed && failure === 'timeout' ? 'connection' : failure);
    }
    outcome.status = seen.status;
    outcome.answer = seen.text;
  }

  async function timed<T>(deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), deadlineMs);
    underWay.add(controller);
    if (closed) controller.abort();
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      underWay.delete(controller);
    }
  }

  return {
    async deliver(delivery) {
      const startedAt = clock.now().getTime();
      const outcome: DeliveryOutcome = {
        ok: false,
        status: null,
        failure: null,
        latencyMs: 0,
        answer: null,
        network: null,
      };
      await timed(delivery.deadlineMs ?? DEADLINE_MS, (signal) => attempt(delivery, signal, outcome));
      outcome.latencyMs = Math.max(0, clock.now().getTime() - startedAt);
      return outcome;
    },
    networkOf: (url, deadlineMs = DEADLINE_MS) =>
      timed(deadlineMs, async (signal) => {
        const target = await targetOf(url, { development, resolver, signal }).catch(() => null);
        return target && networkOf(target.addresses[0] ?? '');
      }),
    close() {
      closed = true;
      for (const controller of underWay) controller.abort();
      resolver.close();
      close();
    },
  };
}

type TargetOptions = { development: boolean; resolver: NameResolver; signal: AbortSignal };

/** Where a URL leads, checked. What its text alone tells is looked at again, whoever let it in. */
async function targetOf(text: string, { development, resolver, signal }: TargetOptions): Promise<Target> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AttemptFailed('refused_address');
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const usual = secure && webhookPorts.includes(port);
  if (!usual && !development) throw new AttemptFailed('refused_address');
  const addresses = await resolver.resolve(url.hostname, signal);
  // Development lifts port and TLS for loopback alone: what is forbidden without it, and was let through with it.
  if (!usual && !addresses.every((address) => isForbiddenAddress(address))) throw new AttemptFailed('refused_address');
  return { hostname: url.hostname, port, secure, origin: url.origin, path: url.pathname + url.search, addresses };
}

/** Sends over a connection that waited, if there is one to a checked address, else over a new one. */
function createPoster(connector: TlsConnector) {
  const idle = createIdleConnections();

  async function overWaiting(target: Target, request: Post, signal: AbortSignal, seen: Answer): Promise<string | null> {
    for (const address of target.addresses) {
      const key = keyOf(target, address);
      const connection = idle.take(key);
      if (!connection) continue;
      try {
        await exchange(connection, request, signal, seen);
        idle.put(key, connection);
        return address;
      } catch (error) {
        // The other side had closed it before the request came: nothing was answered, and it is sent over a new one.
        const stale = error instanceof AttemptFailed && error.failure === 'connection' && seen.status === null;
        if (!stale || signal.aborted) throw error;
        return null;
      }
    }
    return null;
  }

  async function overNew(target: Target, request: Post, signal: AbortSignal, seen: Answer): Promise<string> {
    const { socket, address } = await connector.connect(target, target.addresses, signal);
    const connection = openConnection(target.origin, socket);
    await exchange(connection, request, signal, seen);
    idle.put(keyOf(target, address), connection);
    return address;
  }

  return {
    /** The address that answered. */
    post: async (target: Target, request: Post, signal: AbortSignal, seen: Answer): Promise<string> =>
      (await overWaiting(target, request, signal, seen)) ?? (await overNew(target, request, signal, seen)),
    close: () => idle.close(),
  };
}

function keyOf({ origin }: Target, address: string): string {
  return `${origin} ${address}`;
}
