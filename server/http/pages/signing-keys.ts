import type { Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { plainHeaders } from '../answers/responses.ts';

const MAX_AGE_SECONDS = 3600;

/** Serves the public keys of the service's signature, as a JWK Set and as a DID document. Both are the same for everybody. */
export function mountSigningKeys<E extends Env>(app: Hono<E>, { signing }: Pick<Deps, 'signing'>): void {
  const documents = {
    '/.well-known/jwks.json': { type: 'application/jwk-set+json', body: { keys: signing.keys } },
    '/.well-known/did.json': { type: 'application/did+json', body: signing.didDocument },
  };
  for (const [path, { type, body }] of Object.entries(documents)) {
    const text = JSON.stringify(body);
    const headers = {
      ...plainHeaders,
      'Content-Type': type,
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      // Verifiers run in browsers too, on pages of other sites.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    };
    app.get(path, (c) => c.body(text, 200, headers));
  }
}
