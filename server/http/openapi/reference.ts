import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context as HonoContext, Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../escape-html.ts';
import { type Audience, AUDIENCES, isAudience, specsFor } from './audiences.ts';
import { compacted } from './compact.ts';
import { openApiDocument } from './openapi.ts';
import { plainHeaders } from '../answers/public.ts';
import type { Route } from '../../serve.ts';

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
  'favicon-32x32.png': 'image/png',
};

/**
 * Serves the OpenAPI document, and at /docs a reference page that uses only files of this service. In production the
 * document is built at the start, so that no client waits; a development start builds it at the first request.
 */
export function mountReference<E extends Env>(app: Hono<E>, { config, publicUrl }: Deps, routes: Route[]): void {
  const specs = routes.map((route) => route.spec).filter((spec) => !spec.developmentOnly || config.development);
  const about = { publicUrl, serviceName: config.serviceName, version: API_VERSION };
  const written = new Map<Audience | 'all', string>();
  const documentFor = (audience: Audience | 'all'): string => {
    const known = written.get(audience);
    if (known !== undefined) return known;
    const document =
      audience === 'all'
        ? openApiDocument({ specs, ...about })
        : compacted(openApiDocument({ specs: specsFor(audience, specs), ...about }));
    const text = JSON.stringify(document);
    written.set(audience, text);
    return text;
  };
  if (!config.development) for (const audience of ['all', ...AUDIENCES] as const) documentFor(audience);
  app.get('/api/v1/openapi.json', async (c) => {
    const audience = c.req.query('audience') ?? 'all';
    if (audience !== 'all' && !isAudience(audience)) return await c.notFound();
    return c.body(documentFor(audience), 200, { ...plainHeaders, 'Content-Type': 'application/json; charset=utf-8' });
  });
  app.get('/docs', (c) =>
    c.body(page(config.site.name), 200, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8' }),
  );
  app.get('/docs/start.js', (c) =>
    c.body(START, 200, { ...pageHeaders, 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  app.get('/docs/:asset', async (c) => await asset(c));
}

async function asset<E extends Env>(c: HonoContext<E, '/docs/:asset'>): Promise<Response> {
  const name = c.req.param('asset');
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (!type) return await c.notFound();
  const bytes = await readFile(join(RENDERER, name));
  return c.body(bytes, 200, { ...pageHeaders, 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
}

function page(siteName: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${escapeHtml(siteName)}</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

const START = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  tryItOutEnabled: true,
});
`;
