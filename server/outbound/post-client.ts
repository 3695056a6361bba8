import type { Clock } from '../ports/clock.ts';
import { addressRangeOf } from './address-guard.ts';
import { Connection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { createEventLoopLoad } from './event-loop-load.ts';
import { createNameResolver } from './name-resolver.ts';
import { requestBytes } from './request-bytes.ts';
import { RequestError, type RequestFailure } from './request-failure.ts';
import type { HttpResponse } from './response-reader.ts';
import { findTarget, type Target } from './targets.ts';
import { createTlsConnector, type TlsConnector } from './tls-connector.ts';
import { WriteQueue } from './write-queue.ts';

const DEADLINE_MS = 5_000;
/**
 * A new TLS connection costs as much CPU as ten requests over an open one. A process that is busy for more than this share
 * of its time therefore waits briefly for an open connection; an idle process opens one at once.
 */
const BUSY = 0.5;
const MAX_WAIT_MS = 200;

export type Post = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** For the whole request: DNS, connection, TLS, and the last byte of the response. 5,000 by default. */
  deadlineMs?: number;
};

export type PostResult = HttpResponse & {
  /** Why there is no complete response; null when it was read to its end. `status` may be known nevertheless. */
  failure: RequestFailure | null;
  latencyMs: number;
  /** The /24 (IPv4) or /48 (IPv6) network of the address; null when the URL leads to no allowed address. */
  network: string | null;
};

export type PostClient = {
  /** Sends one POST request. Never throws: a failure is part of the result. */
  post(request: Post): Promise<PostResult>;
  /**
   * Returns the network that a request to the URL would reach; null when the URL leads to no allowed address. A request
   * within the next seconds uses the same DNS answer.
   */
  networkOf(url: string): Promise<string | null>;
  /** Ends requests in flight with the failure `connection`, and closes every connection. */
  close(): void;
};

export type PostClientOptions = {
  /** Allows loopback addresses, there on any port and without TLS. */
  development: boolean;
  clock: Clock;
  /** Certificate authorities (PEM) instead of the system's. */
  ca?: string;
  /** DNS servers as `address:port` instead of the system's. */
  dnsServers?: string[];
  /** How many names may be looked up at once. */
  lookups?: number;
  /** Returns the share of time that the process is busy, 0 to 1. Measured by default. */
  load?: () => number;
};

/**
 * Creates a client for URLs that strangers chose. It resolves names itself and connects only to the addresses that it has
 * checked. It follows no redirect, uses no cookies, proxy, or compression, and bounds every response in size and time.
 */
export function createPostClient(options: PostClientOptions): PostClient {
  const { development, clock, ca, dnsServers: servers, lookups, load = createEventLoopLoad().utilization } = options;
  const resolver = createNameResolver({ development, clock, servers, lookups });
  const transport = new Transport(createTlsConnector({ ca }), load);
  const deadlines = new Deadlines();

  return {
    async post({ url, headers, body, deadlineMs = DEADLINE_MS }) {
      const startedAt = performance.now();
      const response: HttpResponse = { status: null, contentType: null, text: null };
      let failure: RequestFailure | null = null;
      let network: string | null = null;
      const deadline = deadlines.start(deadlineMs);
      try {
        const target = await findTarget(url, { development, resolver }, deadline.signal);
        const [expected = ''] = target.addresses;
        network = addressRangeOf(expected);
        const bytes = requestBytes({ host: target.host, path: target.path, headers, body });
        const address = await transport.send(target, bytes, response, deadline.signal);
        if (address !== expected) network = addressRangeOf(address);
      } catch (error) {
        failure = error instanceof RequestError ? error.failure : 'connection';
        if (deadlines.closed && failure === 'timeout') failure = 'connection';
      } finally {
        deadline.end();
      }
      return { ...response, failure, latencyMs: Math.round(performance.now() - startedAt), network };
    },
    async networkOf(url) {
      const deadline = deadlines.start(DEADLINE_MS);
      try {
        const target = await findTarget(url, { development, resolver }, deadline.signal);
        return addressRangeOf(target.addresses[0] ?? '');
      } catch {
        return null;
      } finally {
        deadline.end();
      }
    },
    close() {
      deadlines.close();
      resolver.close();
      transport.close();
    },
  };
}

/** Sends requests over an open connection to a checked address, or over a new one. */
class Transport {
  readonly #pool = new ConnectionPool();
  readonly #writes = new WriteQueue();
  readonly #connector: TlsConnector;
  readonly #load: () => number;

  constructor(connector: TlsConnector, load: () => number) {
    this.#connector = connector;
    this.#load = load;
  }

  /** Returns the address that responded. */
  async send(target: Target, request: Buffer, response: HttpResponse, deadline: AbortSignal): Promise<string> {
    const { origin, addresses } = target;
    let open = this.#pool.take(origin, addresses);
    // No `await` before this check: requests of the same turn must see the connection that the first of them opens.
    if (!open && this.#load() > BUSY && this.#pool.isInUse(origin))
      open = await this.#pool.waitFor(origin, addresses, { maxWaitMs: MAX_WAIT_MS, deadline });
    try {
      if (open) return await this.#exchange(open, target, request, response, deadline);
    } catch (error) {
      // The server closed the idle connection before the request arrived. It cannot have processed the request.
      const isStale = error instanceof RequestError && error.failure === 'connection' && !open?.heard;
      if (!isStale || deadline.aborted) throw error;
    }
    const created = await this.#pool.open(origin, async () => {
      const { socket, address } = await this.#connector.connect(target, addresses, deadline);
      return new Connection(socket, address, this.#writes);
    });
    return await this.#exchange(created, target, request, response, deadline);
  }

  close(): void {
    this.#pool.close();
  }

  async #exchange(
    connection: Connection,
    { origin }: Target,
    request: Buffer,
    response: HttpResponse,
    deadline: AbortSignal,
  ): Promise<string> {
    await connection.exchange(request, response, deadline);
    await this.#pool.release(origin, connection);
    return connection.address;
  }
}

/** The deadlines of the requests in flight. */
class Deadlines {
  closed = false;
  readonly #running = new Set<AbortController>();

  start(ms: number): { signal: AbortSignal; end(): void } {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), ms);
    this.#running.add(controller);
    if (this.closed) controller.abort();
    const end = () => {
      clearTimeout(timer);
      this.#running.delete(controller);
    };
    return { signal: controller.signal, end };
  }

  /** Aborts everything in flight, and everything that starts from now on. */
  close(): void {
    this.closed = true;
    for (const controller of this.#running) controller.abort();
  }
}
