import type { Config } from '../../config.ts';
import { escapeHtml } from '../../escape-html.ts';
import { GUIDES, HELP } from './guide-names.ts';
import { filled, type PageTexts } from './page-texts.ts';

/** The facts that the header of each page shows. */
export type PageFrame = { site: Config['site']; testnet: boolean };

type Content = {
  language: string;
  /** Without the name of the site. */
  title: string;
  texts: PageTexts['frame'];
  /** Links beside the name of the site, as HTML. */
  nav?: string;
  /** Further elements of the head. */
  head?: readonly string[];
  /** The body below the header, as HTML. It has an element with the id `content`. */
  body: string;
};

/** Returns a page with the header of the console: the site's name with a link home, and the network of its money. */
export function framedPage({ site, testnet }: PageFrame, content: Content): string {
  const { language, texts, nav = '' } = content;
  const name = escapeHtml(site.name);
  const icon = site.logo
    ? `<link rel="icon" href="/site-logo" type="${site.logo.type}">`
    : '<link rel="icon" href="/favicon.svg" type="image/svg+xml">';
  const mark = site.logo ? '<img src="/site-logo" alt="" height="28">' : MARK;
  const network = testnet
    ? `<p class="network test">${escapeHtml(texts.testMoney)}</p>`
    : `<p class="network">${escapeHtml(texts.realMoney)}</p>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(content.title)} · ${name}</title>
${icon}
<link rel="stylesheet" href="/docs/guide.css">
${(content.head ?? []).join('\n')}
</head>
<body>
<a class="skip" href="#content">${escapeHtml(texts.skip)}</a>
<header class="site">
<a class="home" href="/" aria-label="${escapeHtml(filled(texts.home, { service: site.name }))}">${mark}<span>${name}</span></a>
${nav}
${network}
</header>
${content.body}
</body>
</html>
`;
}

/**
 * Returns the links between the pages for people, or between the guides and the reference. `current` is the name of a page,
 * or `reference`.
 */
export function siteNav(current: string): string {
  const place = ({ name, title }: { name: string; title: string }) => ({ name, title, path: `/docs/${name}` });
  const isForPeople = HELP.some(({ name }) => name === current) || current.startsWith('licences/');
  const help = HELP.map(place);
  const pages = isForPeople
    ? [...help, { name: 'agents', title: 'Guides for developers', path: '/docs/agents' }]
    : [
        ...GUIDES.map(place),
        { name: 'reference', title: 'API reference', path: '/docs' },
        { name: 'help', title: 'Help', path: '/docs/how-it-works' },
      ];
  const links = pages.map(({ name, title, path }) =>
    name === current ? `<a href="${path}" aria-current="page">${title}</a>` : `<a href="${path}">${title}</a>`,
  );
  return `<nav aria-label="${isForPeople ? 'Help' : 'Guides'}">${links.join('')}</nav>`;
}

/** The mark of the console's header. */
const MARK = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M16 6a10 10 0 1 0 10 10h-5a5 5 0 1 1-5-5z" fill="var(--accent-ink)"/><circle cx="23" cy="9" r="3" fill="var(--accent-ink)"/></svg>`;
