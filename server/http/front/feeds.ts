import { escapeHtml } from '../../escape-html.ts';
import type { OpenBrief } from '../../projects/market/public-queries.ts';
import type { Site } from './site.ts';

/** The facts about the service that a feed repeats. */
export type FeedSite = Pick<Site, 'title' | 'publicUrl'>;

const EMPTY_SINCE = new Date('2026-01-01T00:00:00Z');

/** Returns the feed of open briefs as Atom (RFC 4287), newest first. Strangers write the texts, so all are escaped. */
export function atomFeed(site: FeedSite, briefs: OpenBrief[]): string {
  const { publicUrl } = site;
  const entries = briefs.map((brief) => {
    const url = escapeHtml(urlOf(site, brief));
    return `<entry>
<id>${url}</id>
<title>${printable(brief.title)}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${brief.visibleAt.toISOString()}</published>
<updated>${updatedAt(brief).toISOString()}</updated>
<summary>${printable(summaryOf(brief))}</summary>
<content type="text">${printable(brief.description)}</content>
</entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeHtml(publicUrl)}/feed.atom</id>
<title>${printable(titleOf(site))}</title>
<updated>${lastChange(briefs).toISOString()}</updated>
<author><name>${printable(site.title)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeHtml(publicUrl)}/feed.atom"/>
<link rel="alternate" type="text/html" href="${escapeHtml(publicUrl)}/"/>
${entries.join('\n')}
</feed>
`;
}

/** Returns the same feed as JSON Feed 1.1. `_brief` has the numbers for programs. */
export function jsonFeed(site: FeedSite, briefs: OpenBrief[]): string {
  const { publicUrl, title } = site;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(site),
    home_page_url: `${publicUrl}/`,
    feed_url: `${publicUrl}/feed.json`,
    language: 'en',
    authors: [{ name: title, url: `${publicUrl}/` }],
    items: briefs.map((brief) => ({
      id: urlOf(site, brief),
      url: urlOf(site, brief),
      title: brief.title,
      summary: summaryOf(brief),
      content_text: brief.description,
      date_published: brief.visibleAt.toISOString(),
      date_modified: updatedAt(brief).toISOString(),
      _brief: {
        project_id: brief.id,
        prize_amount_micro: brief.prizeMicro,
        entry_fee_micro: brief.entryFeeMicro,
        deadline: brief.deadline.toISOString(),
        api_url: `${publicUrl}/api/v1/projects/${brief.id}`,
      },
    })),
  });
}

function titleOf({ title }: FeedSite): string {
  return `New briefs on ${title}`;
}

function urlOf({ publicUrl }: FeedSite, { id }: OpenBrief): string {
  return `${publicUrl}/projects/${id}`;
}

function summaryOf({ prizeMicro, entryFeeMicro, deadline }: OpenBrief): string {
  const usdc = (micro: number) => (micro / 1_000_000).toLocaleString('en', { maximumFractionDigits: 6 });
  const fee = entryFeeMicro === 0 ? 'Free to enter.' : `Entry fee ${usdc(entryFeeMicro)} USDC.`;
  return `Prize ${usdc(prizeMicro)} USDC. ${fee} Entries close ${deadline.toISOString()}.`;
}

/** A project becomes visible after its last change, if it has early access. */
function updatedAt({ changedAt, visibleAt }: OpenBrief): Date {
  return changedAt > visibleAt ? changedAt : visibleAt;
}

function lastChange(briefs: OpenBrief[]): Date {
  return briefs.map(updatedAt).reduce((last, each) => (each > last ? each : last), EMPTY_SINCE);
}

/** XML 1.0 has no way to write control characters. */
function printable(text: string): string {
  return escapeHtml(text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' '));
}
