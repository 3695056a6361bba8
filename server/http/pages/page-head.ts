import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../escape-html.ts';
import type { AgentPageRow } from '../../agents/profiles/public-agent-queries.ts';
import type { ProjectPageRow } from '../../projects/market/page-queries.ts';
import { filled, type PageTexts } from '../frame/page-texts.ts';
import type { Page } from './page-facts.ts';

/** The content of a page's head. */
export type PageHead = {
  title: string;
  description: string;
  /** The canonical path; null for pages that search engines leave out. */
  path: string | null;
  type: 'website' | 'profile';
  /** The URL of the winning entry's public copy. */
  picture?: string;
};

type Brand = Pick<Config, 'site'>;
type Parts = Brand & Pick<Deps, 'mediaUrls'>;

const DESCRIPTION = 180;

/** Returns the head of a page in the language of the texts. Its title is the one that the console's script sets. */
export function headOf(
  page: Page | 'unknown' | null,
  { site, mediaUrls }: Parts,
  { titles, leads, language, ...texts }: PageTexts,
): PageHead {
  const named = (title: string) => `${title} · ${site.name}`;
  if (page === null) return { title: named(titles.missing), description: leads.market, path: null, type: 'website' };
  if (page === 'unknown' || page.kind === 'private')
    return { title: site.name, description: leads.market, path: null, type: 'website' };
  const { kind } = page;
  if (kind === 'agent') return agentHead(page.agent, site.name, texts.agent, language);
  if (kind !== 'project')
    return { title: named(titles[kind]), description: leads[kind], path: page.path, type: 'website' };
  const { project } = page;
  const { winner } = project;
  return {
    title: named(project.title),
    description: `${projectStateText(project, texts.project, language)} ${shortened(project.description)}`,
    path: `/projects/${project.id}`,
    type: 'website',
    ...(winner && { picture: mediaUrls.of(winner.mediaFileId, 'plain').imageUrl }),
  };
}

function agentHead(agent: AgentPageRow, siteName: string, text: string, language: string): PageHead {
  return {
    title: `${agent.name} · ${siteName}`,
    description: filled(text, {
      agent: agent.name,
      site: siteName,
      wins: agent.wins.toLocaleString(language),
      earned: usdc(agent.earnedMicro, language),
    }),
    path: `/agents/${agent.id}`,
    type: 'profile',
  };
}

/** Returns the elements of the head. Strangers write titles and names, so every value is escaped. */
export function headHtml(head: PageHead, { site }: Brand, publicUrl: string, nonce: string): string {
  const { title, description, path, picture } = head;
  const meta = (name: string, content: string, attribute: 'name' | 'property' = 'name') =>
    `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;
  const url = path === null ? [] : [`<link rel="canonical" href="${escapeHtml(publicUrl + path)}" />`];
  const preview =
    path === null
      ? [meta('robots', 'noindex')]
      : [
          meta('og:site_name', site.name, 'property'),
          meta('og:type', head.type, 'property'),
          meta('og:title', title, 'property'),
          meta('og:description', description, 'property'),
          meta('og:url', publicUrl + path, 'property'),
          meta('twitter:card', picture === undefined ? 'summary' : 'summary_large_image'),
          ...(picture === undefined
            ? []
            : [
                meta('og:image', picture, 'property'),
                meta('og:image:type', 'image/webp', 'property'),
                // The page shows it first, and asks for it by this path.
                `<link rel="preload" as="image" href="${escapeHtml(picture.replace(publicUrl, ''))}" />`,
              ]),
        ];
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('description', description),
    ...url,
    ...preview,
    ...FEEDS,
    ...iconsOf(site),
    ...accentOf(site, nonce),
  ].join('\n    ');
}

const FEEDS = [
  '<link rel="alternate" type="application/atom+xml" title="New briefs" href="/feed.atom" />',
  '<link rel="alternate" type="application/feed+json" title="New briefs" href="/feed.json" />',
];

function iconsOf({ logo }: Config['site']): string[] {
  const icon = logo
    ? `<link rel="icon" href="/site-logo" type="${logo.type}" />`
    : '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />';
  return [icon, '<link rel="manifest" href="/manifest.webmanifest" />'];
}

/** The selectors win over those of console/styles/tokens.css. The values are hex digits. */
function accentOf({ accent }: Config['site'], nonce: string): string[] {
  if (accent === null) return [];
  const shades = ({ accent: color, ink, soft }: { accent: string; ink: string; soft: string }) =>
    `--accent:${color};--accent-ink:${ink};--accent-soft:${soft}`;
  const light = `:root:root{${shades(accent.light)}}`;
  const dark = `:root:root[data-mantine-color-scheme='dark']{${shades(accent.dark)}}`;
  return [`<style nonce="${nonce}">@media screen{${light}${dark}}</style>`];
}

/** Says in one sentence how a project stands, for descriptions. */
function projectStateText(
  { status, prizeMicro, entryFeeMicro, winner }: ProjectPageRow,
  texts: PageTexts['project'],
  language: string,
): string {
  const values = { prize: usdc(prizeMicro, language), fee: usdc(entryFeeMicro, language) };
  if (status === 'open') return filled(entryFeeMicro === 0 ? texts.free : texts.open, values);
  if (status === 'judging') return filled(texts.judging, values);
  if (status === 'cancelled') return texts.cancelled;
  return winner ? filled(texts.won, { ...values, agent: winner.agentName }) : filled(texts.completed, values);
}

function usdc(micro: number, language: string): string {
  return (micro / 1_000_000).toLocaleString(language, { maximumFractionDigits: 6 });
}

function shortened(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const letters = Array.from(flat);
  return letters.length <= DESCRIPTION
    ? flat
    : `${letters
        .slice(0, DESCRIPTION - 1)
        .join('')
        .trimEnd()}…`;
}
