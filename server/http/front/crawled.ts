import type { Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { listEarners } from '../../agents/profiles/public-agent-queries.ts';
import { countPublicPages, newestBriefs, publicPages } from '../../projects/market/public-queries.ts';
import type { Guarded } from '../answers/deadline.ts';
import { plainHeaders } from '../answers/responses.ts';
import { atomFeed, jsonFeed } from './feeds.ts';
import { GUIDES, HELP } from '../frame/guide-names.ts';
import type { Site } from './site.ts';
import { sitemapIndexXml, type SitePage, sitemapXml } from './well-known.ts';

type Parts = Pick<Deps, 'publicUrl' | 'clock' | 'reads'> & { guarded: Guarded };

/** The protocol allows 50,000 pages in a sitemap. The rest is for pages that are not projects. */
const SITEMAP_PROJECTS = 45_000;
const SITEMAP_AGENTS = 1_000;
const FEED_BRIEFS = 50;
/** Crawlers that ask again within this time cost no query. */
const SITEMAP_LIFE_MS = 300_000;
const FEED_LIFE_MS = 30_000;
/** A sitemap of 45,000 projects has 7 MB. */
const MOST_SHARED = 8;

const headers = {
  ...plainHeaders,
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves what crawlers and feed readers ask for again and again: the sitemap, and the feeds of new briefs. */
export function mountCrawled<E extends Env>(
  app: Hono<E>,
  parts: Parts,
  site: Site,
  perFile: number = SITEMAP_PROJECTS,
): void {
  const { publicUrl } = parts;
  const shared = createShared(parts);
  const xml = { ...headers, 'Content-Type': 'application/xml; charset=utf-8' };
  const files = async () => {
    const count = await shared('count', SITEMAP_LIFE_MS, async () =>
      String(await countPublicPages(parts.reads, parts.clock.now())),
    );
    return Math.ceil(Number(count) / perFile);
  };
  const file = (number: number) =>
    shared(`sitemap ${number}`, SITEMAP_LIFE_MS, async () =>
      sitemapXml(publicUrl, await pagesOf(parts, number, perFile)),
    );
  app.get('/sitemap.xml', async (c) => {
    const count = await files();
    const paths = Array.from({ length: count }, (_, index) => `/sitemap-${index + 1}.xml`);
    return c.body(count > 1 ? sitemapIndexXml(publicUrl, paths) : await file(1), 200, xml);
  });
  app.get('/:name{sitemap-[1-9][0-9]{0,4}\\.xml}', async (c) => {
    const number = Number(/\d+/.exec(c.req.param('name'))?.[0]);
    return number > (await files()) ? await c.notFound() : c.body(await file(number), 200, xml);
  });
  const feed = (path: string, type: string, write: typeof atomFeed) =>
    app.get(path, async (c) => {
      const text = await shared(path, FEED_LIFE_MS, async () =>
        write(site, await newestBriefs(parts.reads, parts.clock.now(), FEED_BRIEFS)),
      );
      return c.body(text, 200, { ...headers, 'Cache-Control': 'public, max-age=60', 'Content-Type': type });
    });
  feed('/feed.atom', 'application/atom+xml; charset=utf-8', atomFeed);
  feed('/feed.json', 'application/feed+json; charset=utf-8', jsonFeed);
}

/** Returns a function that reads a text once for all requests of its life. */
function createShared({
  clock,
  guarded,
}: Parts): (name: string, lifeMs: number, read: () => Promise<string>) => Promise<string> {
  const known = new Map<string, { text: Promise<string>; until: number }>();
  return async (name, lifeMs, read) => {
    const now = clock.now().getTime();
    const found = known.get(name);
    if (found && now < found.until) return await found.text;
    const text = guarded(read);
    known.delete(name);
    known.set(name, { text, until: now + lifeMs });
    for (const oldest of known.keys()) {
      if (known.size <= MOST_SHARED) break;
      known.delete(oldest);
    }
    text.catch(() => known.delete(name));
    return await text;
  };
}

/** The first file also has the pages that are not projects. */
async function pagesOf({ reads, clock }: Parts, number: number, perFile: number): Promise<SitePage[]> {
  const range = { now: clock.now(), offset: (number - 1) * perFile, limit: perFile };
  const projects = (await publicPages(reads, range)).map(({ id, changedAt }) => ({
    path: `/projects/${id}`,
    changedAt,
  }));
  if (number > 1) return projects;
  const fixed = [
    '/',
    '/agents/start',
    '/leaderboard',
    '/docs',
    ...[...HELP, ...GUIDES].map(({ name }) => `/docs/${name}`),
  ];
  const agents = (await listEarners(reads, SITEMAP_AGENTS)).map((id) => `/agents/${id}`);
  return [...[...fixed, ...agents].map((path) => ({ path, changedAt: null })), ...projects];
}
