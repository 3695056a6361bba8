import { isIPv4, isIPv6 } from 'node:net';

// Which addresses a delivery may go to. Somebody else chooses the URL, so everything is refused that is not an ordinary
// address of the public internet: a webhook must reach nothing of the network that the service itself stands in.

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry and, the last but one, the multicast address space.
 * Anycast services that are reachable from everywhere (192.31.196.0/24 and the like) are none of a subscriber's either.
 */
export const forbiddenIpv4 = [
  '0.0.0.0/8', // "this network": Linux connects to itself
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared address space of carriers; some clouds keep their metadata in it
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link local: the metadata of most clouds
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
  // In no registry: a public address that every machine of Azure reaches its host by.
  '168.63.129.16/32',
] as const;

/** The only part of IPv6 that is handed out for global unicast. Loopback, mapped IPv4, NAT64 and the like lie outside. */
const GLOBAL_UNICAST = '2000::/3';

/** https://www.iana.org/assignments/iana-ipv6-special-registry, what of it lies within 2000::/3. */
export const forbiddenIpv6 = [
  '2001::/23', // IETF protocol assignments; Teredo (2001::/32), benchmarking and ORCHID among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: wraps an IPv4 address, which may be any
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;

/** Where HTTPS usually listens: other ports are other services, which must not be asked by way of us. */
export const webhookPorts: readonly number[] = [443, 8443];

/** A development start talks to receivers on the same machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

type Prefix = { bytes: number[]; bits: number };

const tables = {
  ipv4: forbiddenIpv4.map(parsePrefix),
  ipv6: forbiddenIpv6.map(parsePrefix),
  global: parsePrefix(GLOBAL_UNICAST),
  loopback: LOOPBACK.map(parsePrefix),
};

/**
 * Whether no delivery may go to an address. What is no address at all is forbidden, and so is every IPv6 form that wraps
 * an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP), whatever it wraps: nobody publishes a receiver by
 * one, and who looks through one must know of them all. `development` lifts it for loopback alone.
 */
export function isForbiddenAddress(address: string, development = false): boolean {
  const bytes = parseAddress(address);
  if (!bytes) return true;
  const within = (prefix: Prefix) => startsWith(bytes, prefix);
  if (development && tables.loopback.some(within)) return false;
  if (bytes.length === 4) return tables.ipv4.some(within);
  return !within(tables.global) || tables.ipv6.some(within) || isIsatap(bytes);
}

/** 0000:5efe or 0200:5efe in front of an IPv4 address, under any prefix (RFC 5214). */
function isIsatap(bytes: number[]): boolean {
  const [u = 0, zero, five, efe] = bytes.slice(8, 12);
  return (u & ~2) === 0 && zero === 0 && five === 0x5e && efe === 0xfe;
}

/**
 * The address that the host of a URL spells, null for a name. `hostname` is a WHATWG URL's own: its parser has turned
 * octal, hexadecimal, decimal and short spellings into the usual one.
 */
export function literalAddress(hostname: string): string | null {
  if (hostname.startsWith('[') && hostname.endsWith(']')) return hostname.slice(1, -1);
  return isIPv4(hostname) ? hostname : null;
}

/** The network that a cap counts by: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function networkOf(address: string): string {
  const bytes = parseAddress(address);
  if (!bytes) throw new TypeError(`not an address: ${address}`);
  if (bytes.length === 4) return `${bytes.slice(0, 3).join('.')}.0/24`;
  const groups = [0, 2, 4].map((at) => ((bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)).toString(16));
  return `${groups.join(':')}::/48`;
}

function startsWith(bytes: number[], { bytes: wanted, bits }: Prefix): boolean {
  if (bytes.length !== wanted.length) return false;
  const whole = bits >> 3;
  for (let at = 0; at < whole; at += 1) if (bytes[at] !== wanted[at]) return false;
  const mask = (0xff00 >> (bits & 7)) & 0xff;
  return mask === 0 || ((bytes[whole] ?? 0) & mask) === (wanted[whole] ?? 0);
}

function parsePrefix(text: string): Prefix {
  const [address = '', bits] = text.split('/');
  const bytes = parseAddress(address);
  if (!bytes) throw new TypeError(`not a prefix: ${text}`);
  return { bytes, bits: Number(bits) };
}

/** 4 or 16 bytes; null for anything but a plain address (an IPv6 zone is none: it names a link of this machine). */
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
