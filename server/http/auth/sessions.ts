import { needsOrigin, type OperationSpec } from '../../../contract/operation.ts';
import { isLoopback } from '../../addresses.ts';
import type { Deps } from '../../deps.ts';

type Headers = Pick<globalThis.Headers, 'get'>;

/** What a browser needs to be a poster without a key: a cookie, and pages of the service to send it from. */
export type Sessions = {
  /** The token in the cookie; null without one, and with two of them, of which one is not ours. */
  tokenOf(headers: Headers): string | null;
  /** False when a change is asked for by a page of somebody else, or by one that is not told of. */
  isOwnPage(spec: OperationSpec, headers: Headers): boolean;
  /** `Set-Cookie` of a session that begins, or that has ended. */
  started(session: { token: string; maxAgeSeconds: number }): string;
  ended: string;
};

/** Nobody but this host can set a cookie of that prefix, over TLS: no neighbour plants a session of his own. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-poster_session' : 'poster_session';
}

export function createSessions({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): Sessions {
  const { origin, protocol, port } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const cookieName = sessionCookieName(publicUrl);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;

  function isOwnOrigin(given: string): boolean {
    if (given === origin) return true;
    // This machine has several names, and a development start says only one of them.
    return config.development && isLoopbackAt(given, protocol, port);
  }

  return {
    tokenOf: (headers) => cookieOf(headers.get('cookie'), cookieName),
    isOwnPage(spec, headers) {
      const given = headers.get('origin');
      const site = headers.get('sec-fetch-site');
      // A program that signs in tells neither.
      const isBrowserSigningIn = spec.session === 'starts' && (given !== null || site !== null);
      if (!needsOrigin(spec) && !isBrowserSigningIn) return true;
      return given !== null && isOwnOrigin(given) && (site === null || site === 'same-origin');
    },
    started: ({ token, maxAgeSeconds }) => `${cookieName}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    ended: `${cookieName}=; Max-Age=0; ${attributes}`,
  };
}

function cookieOf(header: string | null, name: string): string | null {
  if (header === null) return null;
  let found: string | null = null;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    if (found !== null) return null;
    found = pair.slice(at + 1).trim();
  }
  return found === '' ? null : found;
}

function isLoopbackAt(given: string, protocol: string, port: string): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return (
    url.origin === given && url.protocol === protocol && url.port === port && (host === 'localhost' || isLoopback(host))
  );
}
