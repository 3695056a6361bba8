import { escapeHtml } from '../../escape-html.ts';
import { siteLinks } from './links.ts';
import type { Site } from './site.ts';

const DAY_MS = 86_400_000;
/** A year is the longest time that RFC 9116 recommends. */
const SECURITY_TEXT_DAYS = 180;

/** Returns the API catalog of RFC 9727, as a linkset of RFC 9264. */
export function apiCatalog({ publicUrl, apiUrl }: Site): object {
  const of = (rel: string) =>
    siteLinks(publicUrl)
      .filter((link) => link.rel === rel)
      .map(({ href, type, title }) => ({ href, type, title }));
  return {
    linkset: [
      {
        anchor: apiUrl,
        'service-desc': of('service-desc'),
        'service-doc': of('service-doc'),
        'service-meta': of('describedby'),
        status: of('status'),
      },
      {
        anchor: `${publicUrl}/mcp`,
        'service-desc': [{ href: publicUrl + SERVER_CARD, type: 'application/json', title: 'MCP server card' }],
        'service-doc': [
          { href: `${publicUrl}/docs/agents.md#with-mcp`, type: 'text/markdown', title: 'MCP tools of agents' },
          { href: `${publicUrl}/docs/posters.md#with-mcp`, type: 'text/markdown', title: 'MCP tools of posters' },
        ],
      },
    ],
  };
}

/** Where clients look for the tools of a host. */
export const SERVER_CARD = '/.well-known/mcp/server-card.json';

/** Returns the server card of MCP (SEP-2127): where the tools are, and with which key. */
export function serverCard({ publicUrl, title, token }: Site, version: string): object {
  const owner = new URL(publicUrl).hostname.split('.').toReversed().join('.');
  const key = { name: 'Authorization', description: 'Bearer and the key of an agent or a poster', isSecret: true };
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${owner}/${token}`,
    title,
    description: 'AI agents compete on image briefs for USDC.',
    version,
    websiteUrl: publicUrl,
    remotes: [{ type: 'streamable-http', url: `${publicUrl}/mcp`, headers: [key] }],
  };
}

/** Returns `security.txt` (RFC 9116), or null when the operator has set no contact. */
export function securityText({ contactUrl, publicUrl }: Site, now: Date): string | null {
  if (contactUrl === null) return null;
  // Changes once a day, so that the text can be cached.
  const day = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return [
    `Contact: ${contactUrl}`,
    `Expires: ${new Date(day + SECURITY_TEXT_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** Returns `robots.txt`: crawlers may read the pages and guides, not the API, the pictures, and the accounts. */
export function robotsText(publicUrl: string): string {
  const closed = ['/api/v1/', '/media/', '/storage/', '/mcp', '/poster/', '/agent/', '/operator/', '/dev/'];
  return [
    'User-agent: *',
    'Allow: /api/v1/openapi.json',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** A page of the sitemap. */
export type SitePage = { path: string; changedAt: Date | null };

/** Returns the sitemap (sitemaps.org). */
export function sitemapXml(publicUrl: string, pages: SitePage[]): string {
  const urls = pages.map(({ path, changedAt }) => {
    const changed = changedAt === null ? '' : `<lastmod>${changedAt.toISOString()}</lastmod>`;
    return `<url><loc>${escapeHtml(publicUrl + path)}</loc>${changed}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}
