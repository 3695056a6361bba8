import { BlockList, isIP, SocketAddress } from 'node:net';

/** Returns true for a loopback address in any spelling: 127.0.0.0/8, ::1, and 127.0.0.0/8 mapped into IPv6. */
export function isLoopback(address: string): boolean {
  const plain = unmapped(address);
  if (isIP(plain) === 4) return plain.startsWith('127.');
  return isIP(plain) === 6 && loopbackV6.check(plain, 'ipv6');
}

const loopbackV6 = new BlockList();
loopbackV6.addAddress('::1', 'ipv6');

/** Turns `::ffff:10.0.0.1` into `10.0.0.1`: a dual-stack socket reports an IPv4 peer in the long form. */
function unmapped(address: string): string {
  if (!address.startsWith('::')) return address;
  const match = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return match?.[1] ?? address;
}

/** Returns an address in one fixed spelling, or null for other text. A zone is refused: only its own machine knows it. */
function plainAddress(text: string): string | null {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0 || text.includes('%')) return null;
  return unmapped(new SocketAddress({ address: text, family: 'ipv6' }).address);
}

export function parseCidr(value: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address, length, ...rest] = value.split('/');
  const version = isIP(address ?? '');
  if (!address || version === 0 || rest.length > 0) return null;
  const widest = version === 4 ? 32 : 128;
  const prefix = length === undefined ? widest : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (prefix < 0 || prefix > widest) return null;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Returns a function that tells whether an address lies in one of these networks, given as CIDRs. */
export function createNetworkCheck(cidrs: readonly string[]): (address: string) => boolean {
  const networks = new BlockList();
  for (const cidr of cidrs) {
    const parsed = parseCidr(cidr);
    if (parsed) networks.addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return (address) => {
    const plain = unmapped(address);
    const version = isIP(plain);
    return version !== 0 && networks.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/**
 * Returns a function that reads the client's address. It is the socket's peer. When the peer is a configured proxy, it is
 * the right-most address of X-Forwarded-For that is not a configured proxy.
 */
export function createAddressReader(
  trustedProxies: string[],
): (peer: string, forwardedFor: string | undefined) => string {
  if (trustedProxies.length === 0) return unmapped;
  const isTrusted = createNetworkCheck(trustedProxies);
  return (peer, forwardedFor) => {
    const socket = unmapped(peer);
    if (!isTrusted(socket) || !forwardedFor) return socket;
    const hops = forwardedFor.split(',').map((hop) => plainAddress(hop.trim()));
    for (const hop of hops.toReversed()) {
      if (hop === null) return socket;
      if (!isTrusted(hop)) return hop;
    }
    return socket;
  };
}

/**
 * Returns the key under which limits count an address. IPv6 counts by /64, the network that one subscriber usually has.
 */
export function limitKey(address: string): string {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** Returns the eight groups of an IPv6 address, without leading zeros. An IPv4 part at its end counts as one group. */
export function groupsOf(address: string): string[] {
  const [left = [], right] = new SocketAddress({ address, family: 'ipv6' }).address
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  return right ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right] : left;
}
