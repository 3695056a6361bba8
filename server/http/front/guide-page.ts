import { escapeHtml } from '../../escape-html.ts';
import { ENGLISH } from '../frame/page-texts.ts';
import { framedPage, type PageFrame, siteNav } from '../frame/frame.ts';
import { GUIDES, HELP } from '../frame/guide-names.ts';
import type { Guide } from './guides.ts';

/** Returns the HTML page of a guide or a chapter. Guides are English. */
export function guidePage(name: string, guide: Guide, frame: PageFrame): string {
  const title = [...HELP, ...GUIDES].find((each) => each.name === name)?.title ?? guide.title;
  const sections = guide.sections.map(({ id, title: text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return framedPage(frame, {
    language: 'en',
    title,
    texts: ENGLISH.frame,
    nav: siteNav(name),
    head: [
      '<script src="/docs/scheme.js"></script>',
      `<link rel="alternate" type="text/markdown" href="/docs/${name}.md">`,
    ],
    body: `<div class="page two">
<nav class="sections" aria-label="Sections"><ul>${sections.join('')}</ul><p><a href="/docs/${name}.md">This page as Markdown</a></p></nav>
<main id="content">
${guide.html}</main>
</div>`,
  });
}
