import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context as HonoContext, Hono, Next } from 'hono';
import { textsFor } from './page-language.ts';
import type { Deps } from '../../deps.ts';
import type { ConsoleBuild } from './console-files.ts';
import { plainHeaders } from '../answers/responses.ts';
import { escapeHtml } from '../../escape-html.ts';
import { linkHeader } from '../front/links.ts';
import type { FindPage, Page } from './page-facts.ts';
import { headHtml, headOf } from './page-head.ts';
import type { PageTexts } from '../frame/page-texts.ts';

type Env = { Bindings: HttpBindings };
type Parts = Pick<Deps, 'config' | 'publicUrl' | 'mediaUrls' | 'randomBytes' | 'network'> & { findPage: FindPage };

/**
 * First segments of the console's pages. For an unknown path, browsers get the console's 404 page and API clients a
 * JSON error.
 */
const PAGES = /^\/(?:(?:projects|leaderboard|agents|poster|agent|operator)(?:\/|$)|$)/;
/** The console has no pages below these segments. */
const FOREIGN = /^\/(?:api|docs|media|originals|storage|dev|network|healthz|readyz|metrics|\.well-known)(?:\/|$)/;
/** Content that the market and projects show first. */
const EARLY = /<!--early-->[^]*?<!--\/early-->/;
/** The part of the head that the service writes for each page. */
const HEAD = /<!--head-->[^]*?<!--\/head-->/;
/** Files whose names change with their content. */
const HASHED = /^\/assets\//;

const fileHeaders = {
  'X-Content-Type-Options': plainHeaders['X-Content-Type-Options'],
  'Strict-Transport-Security': plainHeaders['Strict-Transport-Security'],
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // For a file that a browser opens directly: then an SVG is a document.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  Vary: 'Accept-Encoding',
};

const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/**
 * Returns the content security policy of a page. Scripts come only from this service. Style elements carry the nonce of
 * the page, because Mantine writes theme variables and responsive sizes into them. Scripts set style attributes through
 * the DOM, which the policy does not cover.
 */
function pageHeaders(nonce: string, { s3 }: Parts['config']): Record<string, string> {
  return {
    ...plainHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "font-src 'self'",
      // Posters upload reference pictures to the bucket.
      `connect-src 'self'${s3 ? ` ${new URL(s3.publicEndpoint).origin}` : ''}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
  };
}

/**
 * Serves the web console at `/`; without a build, every page says how to build it. Mount it last, after all other
 * routes.
 */
export function mountConsole(app: Hono<Env>, parts: Parts, build: ConsoleBuild | null): void {
  const readFile = serveStatic<Env>({ root: build?.folder ?? '', precompressed: true });
  const sendFile = async (c: HonoContext<Env, string>, next: Next) => {
    const response = await readFile(c, next);
    // The folder of the build can be gone, and then this is no response.
    if (!(response instanceof Response)) return response;
    const cached = HASHED.test(c.req.path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
    for (const [name, value] of Object.entries({ ...fileHeaders, 'Cache-Control': cached }))
      response.headers.set(name, value);
    return response;
  };
  app.get('*', async (c, next) => {
    const path = c.req.path;
    if (FOREIGN.test(path)) return await next();
    if (build?.files.has(path)) return await sendFile(c, next);
    if (PAGES.test(path)) return pageAnswer(c, parts, build, await parts.findPage(path));
    if (!HASHED.test(path) && readsPages(c)) return pageAnswer(c, parts, build, null);
    return await next();
  });
}

function readsPages(c: HonoContext<Env>): boolean {
  return (c.req.header('accept') ?? '').includes('text/html');
}

function pageAnswer(c: HonoContext<Env>, parts: Parts, build: ConsoleBuild | null, found: Page | 'unknown' | null) {
  const { config, publicUrl, mediaUrls, network, randomBytes } = parts;
  const nonce = randomBytes(16).toString('base64url');
  const headers: Record<string, string> = { ...pageHeaders(nonce, config), Vary: 'Accept-Language, Cookie' };
  if (!build) return c.body(NOT_BUILT, 503, { ...headers, 'Retry-After': '30' });
  const { site } = config;
  const texts = textsFor(c);
  const early = earlyOf(found, texts);
  const page = early ? build.page : build.page.replace(EARLY, '');
  const head = headHtml(headOf(found, { site, mediaUrls }, texts), config, publicUrl, nonce);
  const preload = build.texts[texts.language];
  const about = [
    `data-site="${escapeHtml(site.name)}"`,
    ...(site.logo === null ? [] : ['data-logo="/site-logo"']),
    ...(network.testnet ? ['data-network="test"'] : []),
    ...(config.oidc && c.req.path.startsWith('/operator')
      ? [`data-provider="${new URL(config.oidc.issuer).host}"`]
      : []),
  ];
  // Functions, because `$` in a text would mean something in a replacement.
  const filled = page
    .replace('lang="en" data-about', () => [`lang="${texts.language}"`, ...about].join(' '))
    .replace(HEAD, () => (preload ? `${head}\n    <link rel="modulepreload" href="${preload}" />` : head))
    .replace('__EARLY_KIND__', early?.kind ?? '')
    .replace('__EARLY_TITLE__', () => escapeHtml(early?.title ?? ''))
    .replace('__EARLY_LEAD__', () => escapeHtml(early?.lead ?? ''))
    .replaceAll('__NONCE__', nonce)
    .replaceAll('__SITE_NAME__', () => escapeHtml(site.name));
  // A program that opens the address alone finds the API by this header.
  if (c.req.path === '/') headers['Link'] = linkHeader(publicUrl);
  return c.body(filled, found === null ? 404 : 200, headers);
}

type Early = { kind: string; title: string; lead: string };

/** Returns the heading and the lead that a page shows before its code runs. */
function earlyOf(page: Page | 'unknown' | null, { titles, leads }: PageTexts): Early | null {
  if (page === null || page === 'unknown') return null;
  const { kind } = page;
  if (kind === 'market') return { kind, title: titles.market, lead: leads.market };
  return kind === 'project' ? { kind, title: page.project.title, lead: page.project.description } : null;
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Console not built</title></head>
<body>
<h1>The web console was not built</h1>
<p>The API answers; the console is built by <code>npm start</code>, or by <code>node scripts/build-console.mjs</code>.</p>
</body>
</html>
`;
