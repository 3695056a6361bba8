import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import type { Sessions } from './auth/sessions.ts';

/** The paths that programs with a key use: the operations, the tools, and the signed URLs that they return. */
const SHARED = /^\/(?:(?:api\/v1|storage\/uploads|originals)\/|mcp(?:\?|$))/;
/** The operator has the console, so no other page needs the operator's answers. */
const OPERATOR = /^\/api\/v1\/operator(?:[/?]|$)/;

/** Names of headers, as a browser sends them. */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;

const PREFLIGHT = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  Vary: 'Access-Control-Request-Headers',
  // The longest time that Chromium keeps.
  'Access-Control-Max-Age': '7200',
};

/** Without it, a page reads the body and a few plain headers only. */
const EXPOSED = [
  'Date',
  'ETag',
  'Idempotency-Replayed',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Events-Truncated',
  'X-PAYMENT-RESPONSE',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/** Answers a preflight, or adds the headers of an answer that is to come. Returns whether it has answered. */
export type ShareAcrossOrigins = (
  incoming: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  outgoing: Outgoing,
) => boolean;

type Outgoing = {
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers: Record<string, string>): { end(): unknown };
};

/**
 * Lets pages of any origin call the API with a bearer key (docs/decisions.md, 12). A key is nothing that a browser adds
 * by itself, so a page learns only what its program could. Sessions gain nothing: credentials are never allowed, and a
 * request with a cookie gets none of these headers.
 *
 * A development start answers pages of this machine alone. Otherwise any page in the developer's browser could read it.
 */
export function createShareAcrossOrigins({ config }: Pick<Deps, 'config'>): ShareAcrossOrigins {
  return ({ method, url = '', headers }, outgoing) => {
    const { origin, cookie } = headers;
    if (origin === undefined || cookie !== undefined || !SHARED.test(url) || OPERATOR.test(url)) return false;
    if (config.development && !isOfThisMachine(origin)) return false;
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
      // Clients add headers of their own, and the wildcard of this answer does not include Authorization.
      const { 'access-control-request-headers': asked = '' } = headers;
      const allowed = NAMES.test(asked) ? { 'Access-Control-Allow-Headers': asked } : {};
      outgoing.writeHead(204, { ...PREFLIGHT, ...allowed }).end();
      return true;
    }
    outgoing.setHeader('Access-Control-Allow-Origin', '*');
    outgoing.setHeader('Access-Control-Expose-Headers', EXPOSED);
    return false;
  };
}

function isOfThisMachine(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host);
}

/**
 * Returns a function that tells whether a request may use the tools: one of a program, or of a page that may call the API. A
 * page whose own name was rebound to this machine may not, because its browser takes the service for the page's site. A
 * development start is asked by the names of its machine alone.
 */
export function createWelcome(
  { config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>,
  { isOwnOrigin }: Pick<Sessions, 'isOwnOrigin'>,
): (headers: Pick<Headers, 'get'>) => boolean {
  const { development } = config;
  const { host: ownHost } = new URL(publicUrl);
  return (headers) => {
    const host = (headers.get('host') ?? '').toLowerCase();
    if (development && host !== ownHost && !isOfThisMachine(`http://${host}`)) return false;
    const origin = headers.get('origin');
    if (origin === null || isOwnOrigin(origin)) return true;
    const isRebound = URL.canParse(origin) && new URL(origin).host === host;
    return !isRebound && headers.get('cookie') === null && (!development || isOfThisMachine(origin));
  };
}
