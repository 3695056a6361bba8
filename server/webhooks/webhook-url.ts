import { allowedPorts, isForbiddenAddress, isLocalhost, isThisMachine, literalAddress } from '../outbound/public.ts';

const MAX_LENGTH = 2048;

/**
 * Checks the text of a webhook URL. Returns what the URL must be, as the end of `webhook_url: …`; null for a valid URL.
 * The client checks the text again at each attempt, and the addresses of the host when it connects. Development also
 * allows receivers on this machine, with any scheme and port.
 */
export function checkWebhookUrl(text: string, { development }: { development: boolean }): string | null {
  if (text.length > MAX_LENGTH) return `at most ${MAX_LENGTH} characters`;
  // The parser drops or trims these silently. The stored URL must be the one that the agent sent.
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) return 'a URL without spaces and control characters';
  const url = URL.parse(text);
  if (!url) return 'a URL';
  const here = development && isThisMachine(url.hostname);
  if (url.protocol !== 'https:' && !(here && url.protocol === 'http:')) return 'an HTTPS URL';
  if (url.username || url.password) return 'a URL without user and password';
  if (!here && !allowedPorts.includes(Number(url.port || 443))) return `a URL of port ${allowedPorts.join(' or ')}`;
  return here || isPublicHost(url.hostname, development) ? null : 'a URL of a host on the public internet';
}

function isPublicHost(hostname: string, development: boolean): boolean {
  const address = literalAddress(hostname);
  return address === null ? isPublicName(hostname) : !isForbiddenAddress(address, development);
}

/** Returns the host name of a valid URL. The URL parser writes each host in one way, but for the dot at its end. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.+$/, '');
}

/** Returns false for names below localhost (this machine, RFC 6761) and for names without a dot. */
function isPublicName(hostname: string): boolean {
  return !isLocalhost(hostname) && hostname.replace(/\.$/, '').includes('.');
}
