import { needsOrigin, type OperationSpec } from '../../../contract/basics/operation.ts';
import { isLoopback } from '../../addresses.ts';
import type { Deps } from '../../deps.ts';
import { type SessionKind, sessionCookieName, type StartedSession } from '../../serve.ts';

type Headers = Pick<globalThis.Headers, 'get'>;

/** Sessions in a browser: one cookie for each kind, which only the service's own pages may use. */
export type Sessions = {
  /** Returns the token of the cookie. Returns null without one, and for two, of which one is foreign. */
  tokenOf(kind: SessionKind, headers: Headers): string | null;
  /** Returns false when another site's page, or a page that does not name itself, asks for a change. */
  isOwnPage(spec: OperationSpec, headers: Headers): boolean;
  /** Returns whether this is the origin of the service's own pages. */
  isOwnOrigin(origin: string): boolean;
  /** Returns the `Set-Cookie` header that starts a session. `ended` returns the header that ends it. */
  started(session: StartedSession): string;
  ended(spec: OperationSpec): string;
};

export function createSessions({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): Sessions {
  const { origin, protocol, port } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const nameOf = (kind: SessionKind) => sessionCookieName(publicUrl, kind);
  // An operator's cookie never travels with a request of another site, not even with a link from there.
  const attributesOf = (kind: SessionKind) =>
    `Path=/; HttpOnly; SameSite=${kind === 'operator' ? 'Strict' : 'Lax'}${isHttps ? '; Secure' : ''}`;

  function isOwnOrigin(given: string): boolean {
    if (given === origin) return true;
    // In development, accept every name of this machine, because `publicUrl` holds only one.
    return config.development && isLoopbackAt(given, protocol, port);
  }

  return {
    tokenOf: (kind, headers) => cookieOf(headers.get('cookie'), nameOf(kind)),
    isOwnPage(spec, headers) {
      const given = headers.get('origin');
      const site = headers.get('sec-fetch-site');
      // A program that signs in sends neither header.
      const isBrowserSigningIn = spec.session === 'starts' && (given !== null || site !== null);
      if (!needsOrigin(spec) && !isBrowserSigningIn) return true;
      return given !== null && isOwnOrigin(given) && (site === null || site === 'same-origin');
    },
    isOwnOrigin,
    started: ({ kind, token, maxAgeSeconds }) =>
      `${nameOf(kind)}=${token}; Max-Age=${maxAgeSeconds}; ${attributesOf(kind)}`,
    ended({ auth }) {
      const kind = auth === 'public' ? 'poster' : auth;
      return `${nameOf(kind)}=; Max-Age=0; ${attributesOf(kind)}`;
    },
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
