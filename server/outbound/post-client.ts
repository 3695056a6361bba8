import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { errors, Pool } from 'undici';
import type { Clock } from '../clock.ts';
import { addressRangeOf, allowedPorts, forbiddenAddresses, isLoopbackAddress } from './address-guard.ts';
import { createNameResolver, type NameResolver } from './name-resolver.ts';
import { RequestError, type RequestFailure } from './request-failure.ts';

const DEADLINE_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;
const KEPT_BYTES = 1024;
/** Idle connections end after this time, and the hosts that were used longest ago are forgotten. */
const IDLE_MS = 10_000;
const MAX_POOLS = 1_000;
const CONNECTIONS = 8;

export type Post = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** For the whole request: DNS, connection, TLS, and the last byte of the response. 5,000 by default. */
  deadlineMs?: number;
};

export type PostResult = UrlTarget & {
  /** The part of the response that arrived: may be known despite a failure. */
  status: number | null;
  /** Lowercase; null when the header is missing or duplicated. */
  contentType: string | null;
  /** The first KB of the body as printable text; null before the head has arrived. */
  text: string | null;
  latencyMs: number;
};

export type UrlTarget = {
  /** The /24 (IPv4) or /48 (IPv6) network of the address; null when the URL leads to no allowed address. */
  network: string | null;
  /** Why there is no complete response; null when it was read to its end. */
  failure: RequestFailure | null;
};

type HttpResponse = Pick<PostResult, 'status' | 'contentType' | 'text'>;

export type PostClient = {
  /** Sends one POST request. Never throws: a failure is part of the result. */
  post(request: Post): Promise<PostResult>;
  /**
   * Returns the network that a request to the URL would reach, or why it would reach none. A request within the next
   * seconds uses the same DNS answer.
   */
  targetOf(url: string): Promise<UrlTarget>;
  /** Ends requests in flight with the failure `connection`, and closes every connection. */
  close(): void;
};

export type PostClientOptions = {
  /** Allows loopback addresses, there on any port and without TLS. */
  development: boolean;
  clock: Clock;
  /** CIDRs of private networks that requests may reach. */
  allowedNetworks?: readonly string[];
  /** Certificate authorities (PEM) instead of the system's. */
  ca?: string;
  /** DNS servers as `address:port` instead of the system's. */
  dnsServers?: string[];
};

/**
 * Creates a client for URLs that strangers chose. It resolves names itself and connects only to the addresses that it has
 * checked. It follows no redirect, uses no cookies, proxy, or compression, and bounds every response in size and time.
 */
export function createPostClient(options: PostClientOptions): PostClient {
  const { development, clock, ca, dnsServers: servers, allowedNetworks = [] } = options;
  const isForbidden = forbiddenAddresses({ development, allowedNetworks });
  const resolver = createNameResolver({ isForbidden, clock, servers });
  const pools = createPools(ca);
  const closing = new AbortController();
  const find = (url: string) => findTarget(url, { development, resolver });

  return {
    async post({ url, headers, body, deadlineMs = DEADLINE_MS }) {
      const startedAt = performance.now();
      const result: Omit<PostResult, 'latencyMs'> = {
        status: null,
        contentType: null,
        text: null,
        network: null,
        failure: null,
      };
      const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), closing.signal]);
      const exchange = async () => {
        const target = await find(url);
        result.network = target.network;
        await send(pools.of(target), { path: target.path, headers, body, signal }, result);
      };
      try {
        // A request that resolves its host, or connects, does not end by its signal at once.
        await Promise.race([exchange(), aborted(signal)]);
      } catch (error) {
        result.failure = closing.signal.aborted ? 'connection' : failureOf(error);
      }
      return { ...result, latencyMs: Math.round(performance.now() - startedAt) };
    },
    async targetOf(url) {
      try {
        return { network: (await find(url)).network, failure: null };
      } catch (error) {
        return { network: null, failure: failureOf(error) };
      }
    },
    close() {
      closing.abort();
      resolver.close();
      pools.close();
    },
  };
}

/** Where a URL leads. `origin` is the same for all requests that may share a connection. */
type Target = { origin: string; path: string; addresses: string[]; network: string };

/**
 * Checks a URL and resolves its host.
 *
 * @throws RequestError `refused_address`, or `dns`
 */
async function findTarget(
  text: string,
  { development, resolver }: { development: boolean; resolver: NameResolver },
): Promise<Target> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new RequestError('refused_address');
  const { hostname, origin } = url;
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const isStandard = secure && allowedPorts.includes(port);
  if (!isStandard && !development) throw new RequestError('refused_address');
  const addresses = await resolver.resolve(hostname);
  // Development lifts the rules for port and TLS for loopback only.
  if (!isStandard && !addresses.every(isLoopbackAddress)) throw new RequestError('refused_address');
  return { origin, path: url.pathname + url.search, addresses, network: addressRangeOf(addresses[0] ?? '') };
}

/** Keeps open connections by URL and checked addresses: a name that leads elsewhere by now gets new ones. */
function createPools(ca: string | undefined) {
  const pools = new Map<string, Pool>();
  return {
    of({ origin, addresses }: Target): Pool {
      const key = `${origin} ${addresses.join(' ')}`;
      const pool = pools.get(key) ?? openPool(origin, addresses, ca);
      // Re-inserting keeps the one that was used longest ago first.
      pools.delete(key);
      pools.set(key, pool);
      const [oldest] = pools;
      if (pools.size > MAX_POOLS && oldest) {
        pools.delete(oldest[0]);
        oldest[1].close().catch(() => {});
      }
      return pool;
    },
    close() {
      for (const pool of pools.values()) pool.destroy().catch(() => {});
    },
  };
}

function openPool(origin: string, addresses: readonly string[], ca: string | undefined): Pool {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  // Node asks for a name only. The addresses of a URL that spells one were checked too.
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family);
  return new Pool(origin, {
    connections: CONNECTIONS,
    connect: { lookup, timeout: DEADLINE_MS, ...(ca === undefined ? {} : { ca }) },
    allowH2: false,
    maxResponseSize: MAX_BODY_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
}

type Request = Pick<Post, 'headers' | 'body'> & { path: string; signal: AbortSignal };

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new RequestError('timeout'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Sends a request and writes into `response` what arrives. */
async function send(pool: Pool, { path, headers, body, signal }: Request, response: HttpResponse): Promise<void> {
  const answer = await pool.request({ method: 'POST', path, headers, body, signal });
  const type = answer.headers['content-type'];
  response.status = answer.statusCode;
  response.contentType = typeof type === 'string' ? type.toLowerCase() : null;
  response.text = '';
  let kept = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES - kept.length)]);
    response.text = printableText(kept, { truncated: size > kept.length });
  }
}

const TOO_LARGE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Node and undici name what went wrong by codes. */
function failureOf(error: unknown): RequestFailure {
  if (error instanceof RequestError) return error.failure;
  if (error instanceof DOMException || error instanceof errors.RequestAbortedError) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TOO_LARGE.has(code)) return 'too_large';
  return TLS.test(code) ? 'tls' : 'connection';
}

/** PostgreSQL stores no NUL, terminals obey escape sequences, and direction marks reorder the text around them. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const decoder = new TextDecoder();

/**
 * Decodes UTF-8 into text that is safe to store and show. `truncated`: the last character may be incomplete, and is
 * then dropped.
 */
function printableText(bytes: Buffer, { truncated }: { truncated: boolean }): string {
  // A decoder that streams keeps the incomplete character, so it cannot be shared.
  const text = truncated ? new TextDecoder().decode(bytes, { stream: true }) : decoder.decode(bytes);
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : '\u{fffd}'));
}
