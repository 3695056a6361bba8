import { isForbiddenAddress, literalAddress, allowedPorts } from '../../outbound/public.ts';

const MAX_LENGTH = 2048;

/**
 * Why events are not sent to this URL, as the end of `webhook_url: …`; null when they are. It holds what the text alone can
 * tell, at the registration and again at each attempt; where a name leads is looked at when it is connected to. A
 * development start also takes receivers on this machine: loopback by any scheme and port.
 */
export function checkWebhookUrl(text: string, { development }: { development: boolean }): string | null {
  if (text.length > MAX_LENGTH) return `at most ${MAX_LENGTH} characters`;
  // The parser drops or trims these without a word; what is kept is what was shown.
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) return 'a URL without spaces and control characters';
  const url = URL.parse(text);
  if (!url) return 'a URL';
  const here = development && isThisMachine(url.hostname);
  if (url.protocol !== 'https:' && !(here && url.protocol === 'http:')) return 'an HTTPS URL';
  if (url.username || url.password) return 'a URL without user and password';
  if (!here && !allowedPorts.includes(Number(url.port || 443))) return `a URL of port ${allowedPorts.join(' or ')}`;
  const address = literalAddress(url.hostname);
  if (address !== null && isForbiddenAddress(address, development)) return 'a URL of a host on the public internet';
  if (address === null && !here && !isPublicName(url.hostname)) return 'a URL of a host on the public internet';
  return null;
}

function isThisMachine(hostname: string): boolean {
  const address = literalAddress(hostname);
  // Of the forbidden addresses, development lifts loopback alone.
  if (address !== null) return isForbiddenAddress(address) && !isForbiddenAddress(address, true);
  return isLocalhost(hostname);
}

/** Names below localhost are this machine's by RFC 6761; those without a dot are of nobody's public internet. */
function isPublicName(hostname: string): boolean {
  return !isLocalhost(hostname) && hostname.replace(/\.$/, '').includes('.');
}

function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(hostname);
}
