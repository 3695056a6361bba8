import { isIP, isIPv4 } from 'node:net';
import { createNetworkCheck, groupsOf, isLoopback } from '../addresses.ts';

// Which addresses a request may reach. A stranger chooses the URL, so only ordinary addresses of the public internet are
// allowed: a request must not reach the network that the service itself runs in.

/**
 * The registry https://www.iana.org/assignments/iana-ipv4-special-registry, and the multicast address space. The list
 * includes anycast services such as 192.31.196.0/24: no receiver runs there.
 */
const forbiddenIpv4 = [
  '0.0.0.0/8', // "this network": Linux connects to itself
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // carrier-grade NAT; some clouds serve their metadata here
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; most clouds serve their metadata here
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the limited broadcast
  // In no registry: every Azure machine reaches its host at this public address.
  '168.63.129.16/32',
] as const;

/** The entries of https://www.iana.org/assignments/iana-ipv6-special-registry that lie within 2000::/3. */
const forbiddenIpv6 = [
  '2001::/23', // IETF protocol assignments: Teredo (2001::/32), benchmarking, ORCHID, and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: wraps an arbitrary IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;

/** The usual HTTPS ports. Other ports belong to other protocols, which this service must not be used to reach. */
export const allowedPorts: readonly number[] = [443, 8443];

const isSpecial = createNetworkCheck([...forbiddenIpv4, ...forbiddenIpv6]);
/** The only IPv6 space assigned for global unicast. Loopback, mapped IPv4, NAT64, and the like lie outside it. */
const isGlobalUnicast = createNetworkCheck(['2000::/3']);

/**
 * Returns a function that tells whether requests to an address are refused. Text that is not an address is refused, and so is
 * every IPv6 form that wraps an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP): no public receiver uses one,
 * and an allowance would depend on knowing every such form. `development` allows loopback, and the operator private networks.
 */
export function forbiddenAddresses(development: boolean, allowedNetworks: readonly string[]) {
  const isAllowed = createNetworkCheck(allowedNetworks);
  return (address: string): boolean => {
    if (isIP(address) === 0 || address.includes('%')) return true;
    if (isAllowed(address) || (development && isLoopbackAddress(address))) return false;
    return isSpecial(address) || (!isIPv4(address) && (!isGlobalUnicast(address) || isIsatap(address)));
  };
}

/** Tells whether an address belongs to this machine. IPv6 that wraps a loopback address does not. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopback(address) && !/^::ffff:/i.test(address);
}

/** Tells whether the host of a URL is this machine. */
export function isThisMachine(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === null ? isLocalhost(hostname) : isLoopbackAddress(address);
}

/** Names below localhost are this machine, whatever a DNS server says (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(hostname);
}

/** Special-use names of IANA's registry and of RFC 6762, and names without a dot, are on no public internet. */
export function isPrivateName(hostname: string): boolean {
  if (literalAddress(hostname) !== null || isThisMachine(hostname)) return false;
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || PRIVATE_NAMES.has(name.slice(name.lastIndexOf('.') + 1));
}

const PRIVATE_NAMES = new Set(
  'alt arpa corp home internal intranet invalid lan local localdomain onion private'.split(' '),
);

/** RFC 5214: 0000:5efe or 0200:5efe in front of an IPv4 address, under any prefix. */
function isIsatap(address: string): boolean {
  return /^(?:0|200):5efe$/.test(groupsOf(address).slice(4, 6).join(':'));
}

/**
 * Returns the IP address that a URL's host spells; null for a name. `hostname` comes from a WHATWG URL, whose parser has
 * already normalized octal, hexadecimal, decimal, and short spellings.
 */
export function literalAddress(hostname: string): string | null {
  if (hostname.startsWith('[') && hostname.endsWith(']')) return hostname.slice(1, -1);
  return isIPv4(hostname) ? hostname : null;
}

/** Returns the network of an address, for concurrency limits: the /24 of IPv4, the /48 of IPv6. */
export function addressRangeOf(address: string): string {
  if (isIP(address) === 0) throw new TypeError(`not an address: ${address}`);
  if (isIPv4(address)) return address.replace(/\d+$/, '0/24');
  return `${groupsOf(address).slice(0, 3).join(':')}::/48`;
}
