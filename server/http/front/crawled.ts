import type { Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { listEarners } from '../../agents/profiles/public-agent-queries.ts';
import { newestBriefs, newestPages } from '../../projects/market/public-queries.ts';
import { createKept } from '../../kept.ts';
import type { Guarded } from '../answers/deadline.ts';
import { publicHeaders } from '../answers/responses.ts';
import { atomFeed, jsonFeed } from './feeds.ts';
import { GUIDES, HELP } from '../frame/guide-names.ts';
import type { Site } from './site.ts';
import { type SitePage, sitemapXml } from './well-known.ts';

type Parts = Pick<Deps, 'publicUrl' | 'clock' | 'reads'> & { guarded: Guarded };

/** Crawlers find older projects by the lists. A sitemap of so many has about 1 MB. */
const SITEMAP_PROJECTS = 5_000;
const SITEMAP_AGENTS = 1_000;
const FEED_BRIEFS = 50;
/** Crawlers that ask again within this time cost no query. All answers share the bytes. */
const sitemaps = createKept<Buffer<ArrayBuffer>>({ lifeMs: 300_000, most: 1 });
const feeds = createKept<Buffer<ArrayBuffer>>({ lifeMs: 30_000, most: 2 });

/** Serves what crawlers and feed readers ask for again and again: the sitemap, and the feeds of new briefs. */
export function mountCrawled<E extends Env>(app: Hono<E>, parts: Parts, site: Site): void {
  const { publicUrl, reads, clock, guarded } = parts;
  // Nothing keeps the compressed form, so each answer would compress it again.
  const caching = { 'Cache-Control': `${publicHeaders['Cache-Control']}, no-transform` };
  const xml = { ...publicHeaders, ...caching, 'Content-Type': 'application/xml; charset=utf-8' };
  app.get('/sitemap.xml', async (c) => {
    const read = () => guarded(async () => Buffer.from(sitemapXml(publicUrl, await pagesOf(parts))));
    return c.body(await sitemaps.get(reads, { key: '', now: clock.now() }, read), 200, xml);
  });
  const feed = (path: string, type: string, write: typeof atomFeed) =>
    app.get(path, async (c) => {
      const read = () =>
        guarded(async () => Buffer.from(write(site, await newestBriefs(reads, clock.now(), FEED_BRIEFS))));
      const body = await feeds.get(reads, { key: path, now: clock.now() }, read);
      return c.body(body, 200, { ...publicHeaders, 'Cache-Control': 'public, max-age=60', 'Content-Type': type });
    });
  feed('/feed.atom', 'application/atom+xml; charset=utf-8', atomFeed);
  feed('/feed.json', 'application/feed+json; charset=utf-8', jsonFeed);
}

async function pagesOf({ reads, clock }: Parts): Promise<SitePage[]> {
  const [projects, agents] = await Promise.all([
    newestPages(reads, clock.now(), SITEMAP_PROJECTS),
    listEarners(reads, SITEMAP_AGENTS),
  ]);
  const guides = [...HELP, ...GUIDES].map(({ name }) => `/docs/${name}`);
  const fixed = ['/', '/agents/start', '/leaderboard', '/docs', ...guides, ...agents.map((id) => `/agents/${id}`)];
  return [
    ...fixed.map((path) => ({ path, changedAt: null })),
    ...projects.map(({ id, changedAt }) => ({ path: `/projects/${id}`, changedAt })),
  ];
}
