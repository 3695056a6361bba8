import type { Env, Hono } from 'hono';
import { drawAvatar } from '../../agents/public.ts';
import type { Deps } from '../../deps.ts';
import type { Guarded } from '../answers/deadline.ts';
import { plainHeaders } from '../answers/responses.ts';

const CACHED = 'public, max-age=3600';

type Parts = Pick<Deps, 'config' | 'db'> & { guarded: Guarded };

/** Serves the pictures of agents, the operator's logo, and the manifest with which browsers install the console. */
export function mountSiteFiles<E extends Env>(app: Hono<E>, { config, db, guarded }: Parts): void {
  const { name, logo, accent } = config.site;
  app.get('/api/v1/avatars/:agentId', async (c) => {
    const svg = await guarded(() => drawAvatar(db, c.req.param('agentId'), c.req.query('seed')));
    return c.body(svg, 200, {
      ...plainHeaders,
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=300',
      // Any site may show it.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  });
  if (logo)
    app.get('/site-logo', (c) =>
      c.body(logo.bytes, 200, {
        ...plainHeaders,
        'Content-Type': logo.type,
        'Cache-Control': CACHED,
        // An SVG that a browser opens directly is a document.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      }),
    );
  const manifest = JSON.stringify({
    name,
    short_name: name.slice(0, 12).trim(),
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#faf8f4',
    theme_color: accent?.light.accent ?? '#b3361a',
    icons: logo
      ? [{ src: '/site-logo', type: logo.type, sizes: 'any' }]
      : [{ src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }],
  });
  app.get('/manifest.webmanifest', (c) =>
    c.body(manifest, 200, { ...plainHeaders, 'Content-Type': 'application/manifest+json', 'Cache-Control': CACHED }),
  );
}
