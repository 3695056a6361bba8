import { isIPv6, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, errors } from 'undici';
import type { Clock } from '../clock.ts';
import { Turns } from '../turns.ts';
import {
  addressRangeOf,
  allowedPorts,
  forbiddenAddresses,
  isLoopbackAddress,
  isPrivateName,
  isThisMachine,
} from './address-guard.ts';
import { createNameResolver, type NameResolver, RequestError } from './name-resolver.ts';
import type { DeliverWebhook, DeliveryOutcome, WebhookTarget } from './types.ts';

const DEADLINE_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;
const KEPT_BYTES = 1024;
const IDLE_MS = 10_000;
/** Requests under way at once to one network: thousands of agents may live at one host. */
const AT_ONCE = 8;
/** How long a request waits for its turn. It ends well before the lease on its delivery. */
const WAIT_MS = 15_000;
/** A delivery succeeds with any 2xx status and one of these types, whatever the body says. An empty body needs no type. */
const ACCEPTED_TYPES = ['text/plain', 'application/json'];

type ClientOptions = {
  /** Allows loopback addresses, there on any port and without TLS. */
  development: boolean;
  clock: Clock;
  /** CIDRs of private networks that requests may reach. */
  allowedNetworks?: readonly string[];
  /** Certificate authorities (PEM) instead of the system's. */
  ca?: string;
  /** DNS servers as `address:port` instead of the system's. */
  dnsServers?: string[];
  /** Covers DNS, connection, TLS, and the last byte of a response. */
  deadlineMs?: number;
};

/**
 * Creates a client for URLs that strangers chose. It resolves names itself and connects only to addresses that it has
 * checked. It follows no redirect, uses no cookies, proxy, or compression, and bounds every response in size and time.
 */
export function createWebhookClient(options: ClientOptions) {
  const { development, clock, ca, dnsServers: servers, allowedNetworks = [], deadlineMs = DEADLINE_MS } = options;
  const isForbidden = forbiddenAddresses(development, allowedNetworks);
  const resolver = createNameResolver(isForbidden, clock, servers);
  const agent = openAgent(resolver, ca);
  const turns = new Turns(AT_ONCE);
  const posting = new Set<() => void>();
  let isClosed = false;
  const find = (url: string) => findTarget(url, { development, resolver, knowsPrivate: allowedNetworks.length > 0 });

  /** Returns the network of a URL, or why it leads nowhere. A request within the next seconds uses the same DNS answer. */
  async function targetOf(url: string): Promise<WebhookTarget> {
    try {
      return { network: (await find(url)).network, failure: null };
    } catch (error) {
      return { network: null, failure: failureOf(error) };
    }
  }

  async function post({ url, headers, body }: Request): Promise<DeliveryOutcome> {
    const startedAt = performance.now();
    const controller = new AbortController();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const end = () => {
      controller.abort();
      reject(new RequestError('timeout'));
    };
    posting.add(end);
    const timer = setTimeout(end, deadlineMs);
    const response: Response = { status: null, contentType: null, answer: null };
    let failure: DeliveryOutcome['failure'] = null;
    const exchange = async () => {
      const { origin, path } = await find(url);
      await send(agent, { origin, path, headers, body, signal: controller.signal }, response);
    };
    try {
      // A request that resolves its host, or connects, does not end by its signal at once.
      await Promise.race([exchange(), over]);
    } catch (error) {
      failure = isClosed ? 'connection' : failureOf(error);
    } finally {
      clearTimeout(timer);
      posting.delete(end);
    }
    const { status, answer } = response;
    // The head of a response says more than the way its body ended.
    failure = failureOfHead(response) ?? failure;
    return { status, failure, latencyMs: Math.round(performance.now() - startedAt), answer };
  }

  const deliver: DeliverWebhook = async (request) => {
    // The attempt itself reports why a URL leads nowhere.
    const { network } = await targetOf(request.url);
    if (network === null) return await post(request);
    return await turns.run(network, () => post(request), request.waitMs ?? WAIT_MS);
  };
  return {
    deliver,
    targetOf,
    /** Ends requests in flight with the failure `connection`, and closes every connection. */
    close() {
      isClosed = true;
      for (const end of posting) end();
      resolver.close();
      agent.destroy().catch(() => {});
    },
  };
}

/** `network`: null for the receivers of a development start, which share this machine's. */
type Target = { origin: string; path: string; network: string | null };

/**
 * Checks a URL and resolves its host. A private name is never told from one that does not exist.
 *
 * @param knowsPrivate whether private names can lead into an allowed network; otherwise nobody is asked for them
 * @throws RequestError `refused_address`, or `dns`
 */
async function findTarget(
  text: string,
  { development, resolver, knowsPrivate }: { development: boolean; resolver: NameResolver; knowsPrivate: boolean },
): Promise<Target> {
  const url = parseUrl(text, development);
  const isStandard = url.protocol === 'https:' && allowedPorts.includes(Number(url.port || 443));
  if (!isStandard && !development) throw new RequestError('refused_address');
  const isPrivate = isPrivateName(url.hostname);
  if (isPrivate && !knowsPrivate) throw new RequestError('refused_address');
  const addresses = await resolver.resolve(url.hostname).catch((error: unknown) => {
    throw isPrivate ? new RequestError('refused_address') : error;
  });
  const isOwn = addresses.every(isLoopbackAddress);
  if (!isStandard && !isOwn) throw new RequestError('refused_address');
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    network: isOwn ? null : addressRangeOf(addresses[0] ?? ''),
  };
}

/** Development lifts the rules for port and TLS, for loopback only. @throws RequestError `refused_address` */
function parseUrl(text: string, development: boolean): URL {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' && development && isThisMachine(url.hostname);
  if (!url || url.username || url.password || !(isHttp || url.protocol === 'https:'))
    throw new RequestError('refused_address');
  return url;
}

/** Node asks `lookup` for names only. `findTarget` has checked the addresses that URLs spell. */
function openAgent(resolver: NameResolver, ca: string | undefined): Agent {
  const resolve = callbackify((name: string) => resolver.resolve(name));
  const lookup: LookupFunction = (name, { all }, done) =>
    resolve(name, (error, addresses: string[] | undefined) => {
      const found = (addresses ?? []).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      if (all) done(error, found);
      else done(error, found[0]?.address ?? '', found[0]?.family);
    });
  return new Agent({
    connect: { lookup, timeout: DEADLINE_MS, ...(ca === undefined ? {} : { ca }) },
    allowH2: false,
    maxResponseSize: MAX_BODY_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // A name that leads elsewhere takes its requests along.
    clientTtl: IDLE_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
}

type Request = Parameters<DeliverWebhook>[0];

/** The part of a response that has arrived. `contentType`: null when the header is missing or duplicated. */
type Response = Pick<DeliveryOutcome, 'status' | 'answer'> & { contentType: string | null };

/** Sends a request and writes into `response` what arrives. */
async function send(
  agent: Agent,
  request: Pick<Target, 'origin' | 'path'> & Pick<Request, 'headers' | 'body'> & { signal: AbortSignal },
  response: Response,
): Promise<void> {
  const { statusCode, headers, body } = await agent.request({ method: 'POST', ...request });
  const type = headers['content-type'];
  response.status = statusCode;
  response.contentType = typeof type === 'string' ? type.toLowerCase() : null;
  response.answer = '';
  let kept = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES - kept.length)]);
    response.answer = printableText(kept, { truncated: size > kept.length });
  }
}

const TOO_LARGE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Node and undici name what went wrong by codes. */
function failureOf(error: unknown): DeliveryOutcome['failure'] {
  if (error instanceof RequestError) return error.failure;
  if (error instanceof DOMException || error instanceof errors.RequestAbortedError) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TOO_LARGE.has(code)) return 'too_large';
  return TLS.test(code) ? 'tls' : 'connection';
}

function failureOfHead({ status, contentType, answer }: Response): DeliveryOutcome['failure'] {
  if (status === null) return null;
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400) return 'status';
  if (status === 204 || (contentType === null && answer === '')) return null;
  const [mediaType = ''] = contentType?.split(';') ?? [];
  return ACCEPTED_TYPES.includes(mediaType.trim()) ? null : 'content_type';
}

/** PostgreSQL stores no NUL, terminals obey escape sequences, and direction marks reorder the text around them. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Decodes UTF-8 into text that is safe to store and show. `truncated`: an incomplete last character is dropped. */
function printableText(bytes: Buffer, { truncated }: { truncated: boolean }): string {
  return new TextDecoder()
    .decode(bytes, { stream: truncated })
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : '\u{fffd}'));
}
