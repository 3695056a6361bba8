import type { IncomingMessage } from 'node:http';

/** A proxy adds these headers. X-Forwarded-For is missing here, because agents send it themselves to upload. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const;

/**
 * Returns why the service answers no request like this one, or null. A development start exempts this machine from limits
 * and hands out test money. Behind a proxy, every client of the proxy would count as this machine.
 */
export function refusalOf({ headers, rawHeaders, httpVersion }: IncomingMessage, development: boolean): string | null {
  if (headers.host === undefined && httpVersion === '1.1') return 'the Host header is missing';
  // Two proxies can read two Host headers differently, so RFC 9112 asks for a refusal. Node shows only the first one.
  if (hasTwoHosts(rawHeaders)) return 'there are two Host headers';
  const proxied = development ? PROXY_HEADERS.find((name) => headers[name] !== undefined) : undefined;
  if (proxied === undefined) return null;
  return `a development start serves only its own machine, and ${proxied} shows a proxy; set NODE_ENV=production to serve others`;
}

function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { [index]: name = '' } = rawHeaders;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
