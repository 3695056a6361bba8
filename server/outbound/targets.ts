import { allowedPorts, isLoopbackAddress } from './address-guard.ts';
import type { NameResolver } from './name-resolver.ts';
import { RequestError } from './request-failure.ts';

/** Where a URL leads. `origin` is the same for all requests that may share a connection. */
export type Target = { origin: string; path: string; addresses: string[] };

type TargetOptions = { development: boolean; resolver: NameResolver };

/**
 * Checks a URL and resolves its host.
 *
 * @throws RequestError `refused_address`, `dns`, or `timeout`
 */
export async function findTarget(
  text: string,
  { development, resolver }: TargetOptions,
  deadline: AbortSignal,
): Promise<Target> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new RequestError('refused_address');
  const { hostname, origin } = url;
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const isStandard = secure && allowedPorts.includes(port);
  if (!isStandard && !development) throw new RequestError('refused_address');
  const addresses = await resolver.resolve(hostname, deadline);
  // Development lifts the rules for port and TLS for loopback only.
  if (!isStandard && !addresses.every(isLoopbackAddress)) throw new RequestError('refused_address');
  return { origin, path: url.pathname + url.search, addresses };
}
