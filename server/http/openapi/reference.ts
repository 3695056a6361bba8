import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context as HonoContext, Env, Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { type Audience, AUDIENCES, isAudience, specsFor } from './audiences.ts';
import { openApiDocument } from './openapi.ts';
import { plainHeaders } from '../answers/public.ts';
import { ENGLISH, framedPage, type PageFrame, siteNav } from '../frame/public.ts';
import type { Route } from '../../serve.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

/** The version of the contract. */
export const API_VERSION = '1.0.0';
const RENDERER = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

// Scripts come only from this service. The renderer writes style elements and draws icons from data URLs.
const pageHeaders = {
  ...plainHeaders,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/**
 * Serves the OpenAPI documents, each built at its first request, and at /docs a reference page that uses only files of
 * this service.
 */
export function mountReference<E extends Env>(
  app: Hono<E>,
  { config, publicUrl, network }: Deps,
  routes: Route[],
): void {
  const specs = routes.map((route) => route.spec).filter((spec) => !spec.developmentOnly || config.development);
  const about = { publicUrl, serviceName: config.serviceName, version: API_VERSION };
  const written = new Map<Audience | 'all', string>();
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
  const html = page({ site: config.site, testnet: network.testnet });
  app.get('/docs', (c) => c.body(html, 200, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' }));
  app.get('/docs/start.js', (c) =>
    c.body(START, 200, { ...pageHeaders, 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  app.get('/docs/reference.css', (c) =>
    c.body(REFERENCE_STYLE, 200, { ...pageHeaders, 'Content-Type': 'text/css; charset=utf-8' }),
  );
  app.get('/docs/:asset', async (c) => await asset(c));
}

function unknownAudience(): DomainError {
  const fault = { field: 'audience', message: `one of ${['all', ...AUDIENCES].join(', ')}` };
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: ${fault.field}: ${fault.message}`, {
    details: [fault],
  });
}

async function asset<E extends Env>(c: HonoContext<E, '/docs/:asset'>): Promise<Response> {
  const name = c.req.param('asset');
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (!type) return await c.notFound();
  const bytes = await readFile(join(RENDERER, name));
  return c.body(bytes, 200, { ...pageHeaders, 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
}

function page(frame: PageFrame): string {
  return framedPage(frame, {
    language: 'en',
    title: 'API reference',
    texts: ENGLISH.frame,
    nav: siteNav('reference'),
    head: [
      '<script src="/docs/scheme.js"></script>',
      '<link rel="stylesheet" href="/docs/swagger-ui.css">',
      '<link rel="stylesheet" href="/docs/reference.css">',
    ],
    body: `<div id="content">
<div id="reference"></div>
</div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
  });
}

/** The renderer nests links in buttons, skips levels of headings, and leaves parts without a name. */
const START = `{
  const reference = document.getElementById('reference');
  const levels = [['h3.opblock-tag, .models h4', 2], ['.opblock h4', 3], ['.opblock h5', 4]];
  const parts = [['.information-container', 'About the API'], ['.scheme-container', 'Access'], ['section.models', 'Schemas']];
  let isPlanned = false;
  const mend = () => {
    isPlanned = false;
    for (const link of reference.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
    for (const [headings, level] of levels)
      for (const each of reference.querySelectorAll(headings)) each.ariaLevel = level;
    reference.querySelector('#servers')?.setAttribute('aria-label', 'Server');
    for (const [part, label] of parts)
      for (const each of reference.querySelectorAll(part)) Object.assign(each, { role: 'region', ariaLabel: label });
  };
  // Once a frame: the renderer changes thousands of elements at its start.
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(mend);
  };
  new MutationObserver(plan).observe(reference, { childList: true, subtree: true });
}
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  tryItOutEnabled: true,
});
`;
