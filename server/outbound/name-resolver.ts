import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import type { Clock } from '../clock.ts';
import { isLocalhost, literalAddress } from './address-guard.ts';
import { RequestError, withDeadline } from './request-failure.ts';

// Names are resolved by c-ares, not by getaddrinfo. getaddrinfo occupies one of libuv's four threads, shared with files
// and hashes: four names with silent servers would stall the process, and a lookup cannot be canceled. c-ares also asks
// for exactly the name. It uses no search domains and no /etc/hosts, which hold names of the internal network.

const MAX_NAMES = 10_000;
/** More addresses than any receiver has. An answer over TCP may hold thousands, and each one is checked. */
const MAX_ADDRESSES = 64;
/** One attempt uses one answer, whatever its TTL: the network that was counted is the network that is connected to. */
const MIN_TTL_MS = 5_000;
const MAX_TTL_MS = 60_000;

export type ResolverOptions = {
  isForbidden: (address: string) => boolean;
  clock: Clock;
  /** `address:port`; the system's servers by default. */
  servers?: string[] | undefined;
};

export type NameResolver = {
  /**
   * Returns the checked addresses of a URL's host, at least one. Connect to no other address.
   *
   * @throws RequestError `dns`, `timeout`, or `refused_address` when any address of the host is forbidden
   */
  resolve(hostname: string, deadline: AbortSignal): Promise<string[]>;
  close(): void;
};

/** `ttlMs` is 0 when no server answered: the immediate retry asks again. */
type DnsAnswer = { addresses: string[]; ttlMs: number };

export function createNameResolver({ isForbidden, clock, servers }: ResolverOptions): NameResolver {
  // Some servers never answer AAAA. This ends both questions well within the deadline of a request.
  const dns = new Resolver({ timeout: 2_000, tries: 1 });
  if (servers) dns.setServers(servers);
  const cache = new Map<string, { addresses: Promise<string[]>; until: number }>();
  const now = () => clock.now().getTime();

  function ask(name: string): Promise<string[]> {
    const cached = cache.get(name);
    if (cached && cached.until > now()) return cached.addresses;
    const entry = { addresses: Promise.resolve<string[]>([]), until: Infinity };
    entry.addresses = queryBothTypes(dns, name).then(({ addresses, ttlMs }) => {
      entry.until = now() + ttlMs;
      return addresses;
    });
    // Re-inserting keeps the oldest entry first.
    cache.delete(name);
    cache.set(name, entry);
    const [oldest] = cache.keys();
    if (cache.size > MAX_NAMES && oldest !== undefined) cache.delete(oldest);
    return entry.addresses;
  }

  return {
    async resolve(hostname, deadline) {
      const literal = literalAddress(hostname);
      const local = isLocalhost(hostname) ? ['127.0.0.1', '::1'] : literal === null ? null : [literal];
      const addresses = local ?? (await withDeadline(ask(hostname), deadline));
      if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) throw new RequestError('dns');
      // One forbidden address refuses the whole host: its owner could otherwise steer requests by DNS.
      if (addresses.some(isForbidden)) throw new RequestError('refused_address');
      return addresses;
    },
    close: () => dns.cancel(),
  };
}

/** Asks for A and AAAA at once. IPv4 comes first, because many hosts have no route for IPv6. */
async function queryBothTypes(dns: Resolver, name: string): Promise<DnsAnswer> {
  const answers = await Promise.all([
    queryOneType(dns.resolve4(name, { ttl: true })),
    queryOneType(dns.resolve6(name, { ttl: true })),
  ]);
  // Most names have no AAAA records; the TTL of that absence says nothing about the A records.
  const found = answers.filter(({ addresses }) => addresses.length > 0);
  return {
    addresses: found.flatMap(({ addresses }) => addresses),
    ttlMs: Math.min(...(found.length > 0 ? found : answers).map(({ ttlMs }) => ttlMs)),
  };
}

async function queryOneType(query: Promise<{ address: string; ttl: number }[]>): Promise<DnsAnswer> {
  try {
    const records = await query;
    const ttlMs = Math.min(...records.map(({ ttl }) => ttl * 1000));
    const addresses = records.map(({ address }) => address);
    return { addresses, ttlMs: Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return { addresses: [], ttlMs: code === NOTFOUND || code === NODATA ? MIN_TTL_MS : 0 };
  }
}
