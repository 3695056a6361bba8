import type { SessionKind } from '../serve.ts';

/** Over TLS the prefix `__Host-` keeps sibling subdomains from setting the cookie. */
export function sessionCookieName(publicUrl: string, kind: SessionKind): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}${kind}_session`;
}
