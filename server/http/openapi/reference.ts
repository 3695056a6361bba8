import type { Env, Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { type Audience, AUDIENCES, isAudience, specsFor } from './audiences.ts';
import { openApiDocument } from './openapi.ts';
import { plainHeaders } from '../answers/responses.ts';
import type { Route } from '../../serve.ts';
import { referencePage } from './reference-page.ts';

/** The version of the contract. */
export const API_VERSION = '1.0.0';

const pageHeaders = {
  ...plainHeaders,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  'Content-Type': 'text/html; charset=utf-8',
};

/**
 * Serves the OpenAPI documents, that of agents also at /openapi.json, and, at /docs, the reference of each reader. Each is
 * built at its first request.
 */
export function mountReference<E extends Env>(
  app: Hono<E>,
  { config, publicUrl, network }: Deps,
  routes: Route[],
): void {
  const specs = routes.map((route) => route.spec).filter((spec) => !spec.developmentOnly || config.development);
  const contact = { url: config.legal.contactUrl ?? publicUrl };
  const about = { publicUrl, contact, serviceName: config.serviceName, version: API_VERSION };
  const written = new Map<Audience | 'all', string>();
  const pages = new Map<Audience, string>();
  const documentFor = (audience: Audience | 'all'): string => {
    const known = written.get(audience);
    if (known !== undefined) return known;
    const chosen = audience === 'all' ? specs : specsFor(audience, specs);
    const text = JSON.stringify(openApiDocument({ specs: chosen, ...about }));
    written.set(audience, text);
    return text;
  };
  app.get('/api/v1/openapi.json', (c) => {
    const audience = c.req.query('audience') ?? 'all';
    if (audience !== 'all' && !isAudience(audience)) throw unknownAudience();
    return c.body(documentFor(audience), 200, { ...plainHeaders, 'Content-Type': 'application/json; charset=utf-8' });
  });
  // Programs that know only the address look here.
  app.get('/openapi.json', (c) =>
    c.body(documentFor('agent'), 200, {
      ...plainHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Access-Control-Allow-Origin': '*',
    }),
  );
  const frame = { site: config.site, testnet: network.testnet };
  app.get('/docs', (c) => {
    const audience = c.req.query('audience') ?? 'agent';
    if (!isAudience(audience)) throw unknownAudience();
    const page = pages.get(audience) ?? referencePage(documentFor(audience), audience, frame);
    pages.set(audience, page);
    return c.body(page, 200, pageHeaders);
  });
}

function unknownAudience(): DomainError {
  const fault = { field: 'audience', message: `one of ${['all', ...AUDIENCES].join(', ')}` };
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: ${fault.field}: ${fault.message}`, {
    details: [fault],
  });
}
