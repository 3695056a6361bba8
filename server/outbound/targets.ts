import { isForbiddenAddress, webhookPorts } from './address-guard.ts';
import { AttemptFailed } from './request-failure.ts';
import type { Deadline } from './deadline.ts';
import type { NameResolver } from './name-resolver.ts';
import type { Endpoint } from './tls-connector.ts';

/** What a URL says of where it leads, the same up to the path. `last`: the addresses that were found to be a receiver's. */
type Origin = Endpoint & { host: string; origin: string; usual: boolean; last: string[] | null };
/** `origin` is the same for all deliveries that may share a connection. */
export type Target = Endpoint & { host: string; origin: string; path: string; addresses: string[] };

export type TargetsOptions = { development: boolean; resolver: NameResolver };
export type Targets = {
  /**
   * Where a URL leads, checked. What its text alone tells is looked at again, whoever let it in.
   *
   * @throws AttemptFailed as `resolve`, and `refused_address`
   */
  find(url: string, deadline: Deadline): Promise<Target>;
  /** The same where it is known already; null where it has to be asked for, or is refused. */
  known(url: string): Target | null;
};

/** Where many agents share a host; at hosts of their own it saves next to nothing. */
const MOST_ORIGINS = 2_000;
/** The parser would leave it as it is: no dots at a segment's beginning, nothing encoded or to be encoded. */
const PLAIN_PATH = /^(?:\/(?:[\w~-][\w~.-]*)?)+(?:\?[\w~.=&-]*)?$/;

export function createTargets({ development, resolver }: TargetsOptions): Targets {
  const origins = new Map<string, Origin>();

  /** False where the addresses are no receiver's, as far as port and scheme tell. */
  function mayLeadTo(origin: Origin, addresses: string[]): boolean {
    if (origin.last === addresses) return true;
    // Development lifts port and TLS for loopback alone: what is forbidden without it, and was let through with it.
    const here = () => development && addresses.every((address) => isForbiddenAddress(address));
    if (!origin.usual && !here()) return false;
    origin.last = addresses;
    return true;
  }

  function targetOf({ hostname, port, secure, host, origin }: Origin, path: string, addresses: string[]): Target {
    return { hostname, port, secure, host, origin, path, addresses };
  }

  /** For the next URLs of the same beginning, if that is spelled as the parser would: then the rest is the path. */
  function remember(text: string, origin: Origin): void {
    if (text.slice(0, pathOf(text)) !== origin.origin) return;
    const [oldest] = origins.keys();
    if (origins.size >= MOST_ORIGINS && oldest !== undefined) origins.delete(oldest);
    origins.set(origin.origin, origin);
  }

  return {
    async find(text, deadline) {
      const { origin, path } = read(text);
      if (!origin.usual && !development) throw new AttemptFailed('refused_address');
      const addresses = await resolver.resolve(origin.hostname, deadline);
      if (!mayLeadTo(origin, addresses)) throw new AttemptFailed('refused_address');
      remember(text, origin);
      return targetOf(origin, path, addresses);
    },
    known(text) {
      const end = pathOf(text);
      const origin = end === -1 ? undefined : origins.get(text.slice(0, end));
      const path = text.slice(end);
      if (!origin || !PLAIN_PATH.test(path)) return null;
      const addresses = resolver.known(origin.hostname);
      return addresses && mayLeadTo(origin, addresses) ? targetOf(origin, path, addresses) : null;
    },
  };
}

/** Where the first slash after the host is; -1 without one. */
function pathOf(text: string): number {
  return text.indexOf('/', 'https://'.length);
}

function read(text: string): { origin: Origin; path: string } {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AttemptFailed('refused_address');
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const usual = secure && webhookPorts.includes(port);
  const { hostname, host, origin } = url;
  return { origin: { hostname, host, port, secure, origin, usual, last: null }, path: url.pathname + url.search };
}
