import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import type { Clock } from '../ports/clock.ts';
import { literalAddress } from './address-guard.ts';
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
/** How long the second record type may take after the first has an answer: some servers never answer AAAA. */
const SECOND_TYPE_MS = 1_000;

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

/** `certain`: a server answered, so that the answer may be cached, even without addresses. */
type DnsAnswer = { addresses: string[]; ttlMs: number; certain: boolean };
/** The addresses of a name, or why it cannot be connected to. */
type Checked = { addresses: string[] } | { failure: 'dns' | 'refused_address' };

export function createNameResolver(options: ResolverOptions): NameResolver {
  const { isForbidden, clock, servers } = options;
  const dns = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) dns.setServers(servers);
  const cache = new Map<string, { checked: Checked; until: number }>();
  const inFlight = new Map<string, Promise<Checked>>();
  const thisMachine = check(['127.0.0.1', '::1'], isForbidden);
  const now = () => clock.now().getTime();

  async function lookUp(name: string): Promise<Checked> {
    const answer = await queryBothTypes(dns, name).finally(() => inFlight.delete(name));
    const checked = check(answer.addresses, isForbidden);
    // A server that was silent may answer the immediate retry, so silence is not cached.
    if (answer.certain) addToCache(cache, name, { checked, until: now() + answer.ttlMs });
    return checked;
  }

  async function resolveName(name: string, deadline: AbortSignal): Promise<Checked> {
    const cached = cache.get(name);
    if (cached && cached.until > now()) return cached.checked;
    const asked = inFlight.get(name) ?? lookUp(name);
    inFlight.set(name, asked);
    return await withDeadline(asked, deadline);
  }

  function checkLocally(hostname: string): Checked | null {
    // RFC 6761: `localhost` is this machine, whatever a DNS server says.
    if (/(?:^|\.)localhost\.?$/.test(hostname)) return thisMachine;
    const literal = literalAddress(hostname);
    return literal === null ? null : check([literal], isForbidden);
  }

  return {
    async resolve(hostname, deadline) {
      const checked = checkLocally(hostname) ?? (await resolveName(hostname, deadline));
      if ('failure' in checked) throw new RequestError(checked.failure);
      return checked.addresses;
    },
    close: () => dns.cancel(),
  };
}

/** One forbidden address refuses the whole host: its owner could otherwise steer requests by DNS. */
function check(addresses: string[], isForbidden: ResolverOptions['isForbidden']): Checked {
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) return { failure: 'dns' };
  if (addresses.some(isForbidden)) return { failure: 'refused_address' };
  return { addresses };
}

/** Asks for A and AAAA at once. IPv4 comes first, because many hosts have no route for IPv6. */
async function queryBothTypes(dns: Resolver, name: string): Promise<DnsAnswer> {
  const answers: (DnsAnswer | undefined)[] = [undefined, undefined];
  const { promise: waitedEnough, resolve: stopWaiting } = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  const queries = [() => dns.resolve4(name, { ttl: true }), () => dns.resolve6(name, { ttl: true })];
  const asked = queries.map(async (query, index) => {
    const answer = await queryOneType(query);
    answers[index] = answer;
    if (answer.addresses.length > 0) timers.push(setTimeout(stopWaiting, SECOND_TYPE_MS));
  });
  await Promise.race([Promise.all(asked), waitedEnough]);
  for (const timer of timers) clearTimeout(timer);
  const received = answers.filter((answer) => answer !== undefined);
  const found = received.filter(({ addresses }) => addresses.length > 0);
  return {
    addresses: found.flatMap(({ addresses }) => addresses),
    // Most names have no AAAA records; the TTL of that absence says nothing about the A records.
    ttlMs: Math.min(...(found.length > 0 ? found : received).map(({ ttlMs }) => ttlMs)),
    certain: found.length > 0 || received.every(({ certain }) => certain),
  };
}

async function queryOneType(query: () => Promise<{ address: string; ttl: number }[]>): Promise<DnsAnswer> {
  try {
    const records = await query();
    const ttlMs = Math.min(...records.map(({ ttl }) => ttl * 1000));
    return {
      addresses: records.map(({ address }) => address),
      ttlMs: Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS),
      certain: true,
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return { addresses: [], ttlMs: MIN_TTL_MS, certain: code === NOTFOUND || code === NODATA };
  }
}

function addToCache<Value>(cache: Map<string, Value>, name: string, value: Value): void {
  // Re-inserting keeps the oldest entry first.
  cache.delete(name);
  cache.set(name, value);
  const [oldest] = cache.keys();
  if (cache.size > MAX_NAMES && oldest !== undefined) cache.delete(oldest);
}
