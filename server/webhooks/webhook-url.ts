import {
  allowedPorts,
  type AllowedPlaces,
  forbiddenAddresses,
  isPrivateName,
  isThisMachine,
  literalAddress,
} from '../outbound/public.ts';
import type { WebhookTarget } from './types.ts';

const MAX_LENGTH = 2048;
const NOT_PUBLIC = 'a URL of a host on the public internet';

/**
 * Checks a webhook URL. Returns what the URL must be, as the end of `webhook_url: …`; null for a valid URL. The client
 * checks the text again at each attempt, and the addresses of the host when it connects. Development also allows receivers
 * on this machine, with any scheme and port.
 *
 * A public name without an address is accepted, because its owner may set it up later. A private one is accepted only when
 * it leads into an allowed network.
 */
export async function checkWebhookUrl(
  text: string,
  places: AllowedPlaces,
  findTarget: (url: string) => Promise<WebhookTarget>,
): Promise<string | null> {
  const url = parseWebhookUrl(text, places);
  if (typeof url === 'string') return url;
  const { hostname } = url;
  if (places.development && isThisMachine(hostname)) return null;
  const address = literalAddress(hostname);
  if (address !== null) return forbiddenAddresses(places)(address) ? NOT_PUBLIC : null;
  const isPrivate = isPrivateName(hostname);
  if (isPrivate && places.allowedNetworks.length === 0) return NOT_PUBLIC;
  const { failure } = await findTarget(text);
  return failure === 'refused_address' || (isPrivate && failure !== null) ? NOT_PUBLIC : null;
}

/** Returns the URL, or what it must be. */
function parseWebhookUrl(text: string, { development }: AllowedPlaces): URL | string {
  if (text.length > MAX_LENGTH) return `at most ${MAX_LENGTH} characters`;
  // The parser drops or trims these silently. The stored URL must be the one that the agent sent.
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) return 'a URL without spaces and control characters';
  const url = URL.parse(text);
  if (!url) return 'a URL';
  const here = development && isThisMachine(url.hostname);
  if (url.protocol !== 'https:' && !(here && url.protocol === 'http:')) return 'an HTTPS URL';
  if (url.username || url.password) return 'a URL without user and password';
  if (!here && !allowedPorts.includes(Number(url.port || 443))) return `a URL of port ${allowedPorts.join(' or ')}`;
  return url;
}

/** Returns the host name of a valid URL. The URL parser writes each host in one way, but for the dot at its end. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.+$/, '');
}
