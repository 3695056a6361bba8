import { isIPv4, isIPv6 } from 'node:net';
import { createNetworkCheck } from '../addresses.ts';

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

/** The only IPv6 space assigned for global unicast. Loopback, mapped IPv4, NAT64, and the like lie outside it. */
const GLOBAL_UNICAST = '2000::/3';

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

export type AllowedPlaces = { development: boolean; allowedNetworks: readonly string[] };

type Prefix = { bytes: number[]; bits: number };

const tables = {
  ipv4: forbiddenIpv4.map(parsePrefix),
  ipv6: forbiddenIpv6.map(parsePrefix),
  global: parsePrefix(GLOBAL_UNICAST),
  loopbackIpv6: parsePrefix('::1/128'),
};

/**
 * Tells whether requests to an address are refused. Text that is not an address is refused, and so is every IPv6 form
 * that wraps an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP): no public receiver uses one, and an
 * allowance would depend on knowing every such form. `development` allows loopback.
 */
export function isForbiddenAddress(address: string, development = false): boolean {
  const bytes = parseAddress(address);
  if (!bytes) return true;
  const within = (prefix: Prefix) => startsWith(bytes, prefix);
  if (development && isLoopbackAddress(address)) return false;
  if (bytes.length === 4) return tables.ipv4.some(within);
  return !within(tables.global) || tables.ipv6.some(within) || isIsatap(bytes);
}

/** Returns the rule of one service: the private networks that its operator allows are not forbidden. */
export function forbiddenAddresses({ development, allowedNetworks }: AllowedPlaces): (address: string) => boolean {
  const isAllowed = createNetworkCheck(allowedNetworks);
  return (address) => isForbiddenAddress(address, development) && !isAllowed(address);
}

/** Tells whether an address belongs to this machine. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  const bytes = parseAddress(address);
  return bytes !== null && startsWith(bytes, tables.loopbackIpv6);
}

/** Tells whether the host of a URL is this machine. */
export function isThisMachine(hostname: string): boolean {
  const address = literalAddress(hostname);
  return address === null ? isLocalhost(hostname) : isLoopbackAddress(address);
}

/** Names below localhost are this machine (RFC 6761). */
function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(hostname);
}

/** Special-use names of IANA's registry and of RFC 6762, and names without a dot, are on no public internet. */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || PRIVATE_NAMES.has(name.slice(name.lastIndexOf('.') + 1));
}

const PRIVATE_NAMES = new Set(
  'alt arpa corp home internal intranet invalid lan local localdomain localhost onion private'.split(' '),
);

/** RFC 5214: 0000:5efe or 0200:5efe in front of an IPv4 address, under any prefix. */
function isIsatap(bytes: number[]): boolean {
  const [u = 0, zero, five, efe] = bytes.slice(8, 12);
  return (u & ~2) === 0 && zero === 0 && five === 0x5e && efe === 0xfe;
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
  const bytes = parseAddress(address);
  if (!bytes) throw new TypeError(`not an address: ${address}`);
  if (bytes.length === 4) return `${bytes.slice(0, 3).join('.')}.0/24`;
  const groups = [0, 2, 4].map((at) => ((bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)).toString(16));
  return `${groups.join(':')}::/48`;
}

function startsWith(bytes: number[], { bytes: expected, bits }: Prefix): boolean {
  if (bytes.length !== expected.length) return false;
  const whole = bits >> 3;
  for (let at = 0; at < whole; at += 1) if (bytes[at] !== expected[at]) return false;
  const mask = (0xff00 >> (bits & 7)) & 0xff;
  return mask === 0 || ((bytes[whole] ?? 0) & mask) === (expected[whole] ?? 0);
}

function parsePrefix(text: string): Prefix {
  const [address = '', bits] = text.split('/');
  const bytes = parseAddress(address);
  if (!bytes) throw new TypeError(`not a prefix: ${text}`);
  return { bytes, bits: Number(bits) };
}

/** Returns 4 or 16 bytes; null for anything else, including IPv6 with a zone, which names a link of this machine. */
function parseAddress(address: string): number[] | null {
  if (isIPv4(address)) return address.split('.').map(Number);
  if (!isIPv6(address) || address.includes('%')) return null;
  const [head = '', tail] = address.split('::');
  const left = groupBytes(head);
  if (tail === undefined) return left;
  const right = groupBytes(tail);
  return [...left, ...Array<number>(16 - left.length - right.length).fill(0), ...right];
}

function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
