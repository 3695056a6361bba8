import type { Context as HonoContext, Env, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { Deps } from '../../deps.ts';
import type { Guarded } from '../answers/deadline.ts';
import { publicHeaders } from '../answers/responses.ts';
import { llmsText, skillText } from './agent-texts.ts';
import { GUIDES, HELP } from '../frame/guide-names.ts';
import type { PageFrame } from '../frame/frame.ts';
import { SCHEME_SCRIPT, siteStyle } from '../frame/style.ts';
import { guidePage } from './guide-page.ts';
import { type Guide, readGuide } from './guides.ts';
import { linkHeader, siteLinks } from './links.ts';
import { siteOf } from './site.ts';
import { mountCrawled } from './crawled.ts';
import { apiCatalog, robotsText, securityText, SERVER_CARD, serverCard } from './well-known.ts';
import { API_VERSION } from '../openapi/reference.ts';

type Parts = Pick<Deps, 'config' | 'publicUrl' | 'network' | 'clock' | 'reads' | 'signing'> & { guarded: Guarded };

const guideHeaders = {
  ...publicHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  Vary: 'Accept',
};
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/**
 * Serves the texts that lead a client from the address alone to a paid entry: the map for language models, the skill, the
 * API catalog, the guides, the keys of the service's signature, and what crawlers ask for.
 */
export function mountFront<E extends Env>(app: Hono<E>, parts: Parts): void {
  const { publicUrl, clock, signing } = parts;
  const site = siteOf(parts);
  const text = (path: string, type: string, body: string) =>
    app.get(path, (c) => c.body(body, 200, { ...publicHeaders, 'Content-Type': type }));
  text('/llms.txt', PLAIN, llmsText(site));
  text('/skill.md', MARKDOWN, skillText(site));
  text('/robots.txt', PLAIN, robotsText(publicUrl));
  text('/.well-known/api-catalog', 'application/linkset+json', JSON.stringify(apiCatalog(site)));
  text(SERVER_CARD, 'application/json', JSON.stringify(serverCard(site, API_VERSION)));
  text('/.well-known/jwks.json', 'application/jwk-set+json', JSON.stringify({ keys: signing.keys }));
  text('/.well-known/did.json', 'application/did+json', JSON.stringify(signing.didDocument));
  app.get('/.well-known/security.txt', async (c) => {
    const body = securityText(site, clock.now());
    return body === null ? await c.notFound() : c.body(body, 200, { ...publicHeaders, 'Content-Type': PLAIN });
  });
  mountCrawled(app, parts, site);
  app.get('/api/v1', (c) => {
    const links = {
      service: site.title,
      documentation: `${publicUrl}/skill.md`,
      mcp: `${publicUrl}/mcp`,
      links: siteLinks(publicUrl),
    };
    const headers = {
      ...publicHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      Link: linkHeader(publicUrl),
    };
    return c.body(JSON.stringify({ success: true, data: links, error: null }), 200, headers);
  });
  mountGuides(app, publicUrl, { site: parts.config.site, testnet: parts.network.testnet });
}

function mountGuides<E extends Env>(app: Hono<E>, publicUrl: string, frame: PageFrame): void {
  const read = new Map<string, Promise<Guide>>();
  const guideOf = (name: string) => {
    const known = read.get(name) ?? readGuide(name, publicUrl);
    read.set(name, known);
    // A file that cannot be read now is read again at the next request.
    known.catch(() => read.delete(name));
    return known;
  };
  const style = siteStyle(frame.site);
  app.get('/docs/guide.css', (c) =>
    c.body(style, 200, { ...publicHeaders, 'Content-Type': 'text/css; charset=utf-8' }),
  );
  app.get('/docs/scheme.js', (c) =>
    c.body(SCHEME_SCRIPT, 200, { ...publicHeaders, 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  const send = async (c: HonoContext<E>, name: string, asMarkdown: boolean) => {
    const guide = await guideOf(name);
    if (!asMarkdown) return c.body(guidePage(name, guide, frame), 200, guideHeaders);
    return c.body(guide.markdown, 200, { ...publicHeaders, 'Content-Type': MARKDOWN, Vary: 'Accept' });
  };
  const page = (c: HonoContext<E>, name: string) => send(c, name, wantsMarkdown(c.req.header('accept')));
  for (const name of [...[...HELP, ...GUIDES].map((guide) => guide.name), 'runbooks']) {
    app.get(`/docs/${name}.md`, (c) => send(c, name, true));
    app.get(`/docs/${name}`, (c) => page(c, name));
  }
  const missing = (c: HonoContext<E>) => (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return c.notFound();
    throw error;
  };
  for (const folder of ['operators', 'licences']) {
    const named = (c: HonoContext<E>) => `${folder}/${c.req.param('chapter')}`;
    app.get(`/docs/${folder}/:chapter{[\\w.-]+\\.md}`, (c) =>
      send(c, named(c).slice(0, -'.md'.length), true).catch(missing(c)),
    );
    app.get(`/docs/${folder}/:chapter{[\\w-][\\w.-]*}`, (c) => page(c, named(c)).catch(missing(c)));
  }
}

/** A browser names text/html. A client that prefers text/markdown, or names it first, gets Markdown. */
function wantsMarkdown(accept = ''): boolean {
  // The types are sorted by their weight, and those of one weight keep their order.
  const named = parseAccept(accept).find(({ type }) => type === 'text/markdown' || type === 'text/html');
  return named?.type === 'text/markdown' && named.q > 0;
}
