import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import type { Clock } from '../clock.ts';
import { createKept } from '../kept.ts';
import { isLocalhost, literalAddress } from './address-guard.ts';
import type { DeliveryOutcome } from './types.ts';

// Names are resolved by c-ares, not by getaddrinfo. getaddrinfo occupies one of libuv's four threads, shared with files
// and hashes: four names with silent servers would stall the process, and a lookup cannot be canceled. c-ares also asks
// for exactly the name. It uses no search domains and no /etc/hosts, which hold names of the internal network.

/** More addresses than any receiver has. An answer over TCP may hold thousands, and each one is checked. */
const MAX_ADDRESSES = 64;
/** One attempt uses one answer, whatever its TTL: the network that was counted is the network that is connected to. */
const KEPT_MS = 5_000;

/** Ends a request early. The client catches it and reports its `failure`. */
export class RequestError extends Error {
  readonly failure: NonNullable<DeliveryOutcome['failure']>;

  constructor(failure: NonNullable<DeliveryOutcome['failure']>) {
    super(failure);
    this.failure = failure;
  }
}

export type NameResolver = ReturnType<typeof createNameResolver>;

/** @param servers `address:port` of each DNS server in place of the system's */
export function createNameResolver(isForbidden: (address: string) => boolean, clock: Clock, servers?: string[]) {
  // Some servers never answer AAAA. This ends both questions, well within the deadline of a request.
  const dns = new Resolver({ timeout: 2_000, tries: 1 });
  if (servers) dns.setServers(servers);
  const kept = createKept<string[]>({ lifeMs: KEPT_MS, most: 10_000 });
  return {
    /**
     * Returns the checked addresses of a URL's host, at least one. Connect to no other address.
     *
     * @throws RequestError `dns`, or `refused_address` when any address of the host is forbidden
     */
    async resolve(hostname: string): Promise<string[]> {
      const literal = literalAddress(hostname);
      const local = isLocalhost(hostname) ? ['127.0.0.1', '::1'] : literal === null ? null : [literal];
      const asked = { key: hostname, now: clock.now() };
      const addresses = local ?? (await kept.get(dns, asked, () => addressesOf(dns, hostname)));
      if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) throw new RequestError('dns');
      // One forbidden address refuses the whole host: its owner could otherwise steer requests by DNS.
      if (addresses.some(isForbidden)) throw new RequestError('refused_address');
      return addresses;
    },
    close: () => dns.cancel(),
  };
}

/**
 * Asks for A and AAAA at once. IPv4 comes first, because many hosts have no route for IPv6.
 *
 * @throws RequestError when no server answered: the next request asks again
 */
async function addressesOf(dns: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const codes = answers.map((answer) =>
    answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException).code : NODATA,
  );
  const isAbsent = codes.every((code) => code === NOTFOUND || code === NODATA);
  if (addresses.length === 0 && !isAbsent) throw new RequestError('dns');
  return addresses;
}
