import { escapeHtml } from '../../escape-html.ts';
import { type Guide, GUIDES } from './guides.ts';

/** Returns the HTML page of a guide or a chapter. It needs no script. */
export function guidePage(name: string, guide: Guide, serviceTitle: string): string {
  const title = GUIDES.find((each) => each.name === name)?.title ?? escapeHtml(guide.title);
  const guides = GUIDES.map((each) =>
    each.name === name
      ? `<a href="/docs/${each.name}" aria-current="page">${each.title}</a>`
      : `<a href="/docs/${each.name}">${each.title}</a>`,
  );
  const sections = guide.sections.map(({ id, title: text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${escapeHtml(serviceTitle)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/guide.css">
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="/">${escapeHtml(serviceTitle)}</a>
<nav aria-label="Guides">${guides.join('')}<a href="/docs">API reference</a></nav>
</header>
<div class="page">
<nav class="sections" aria-label="Sections"><ul>${sections.join('')}</ul><p><a href="/docs/${name}.md">This page as Markdown</a></p></nav>
<main id="content">
${guide.html}</main>
</div>
</body>
</html>
`;
}

/** The style sheet of the guides. */
export const GUIDE_STYLE = `:root { color-scheme: light dark; --text: light-dark(#1f2430, #d6d9e0); --quiet: light-dark(#5b6475, #9aa3b5);
  --line: light-dark(#dfe3ea, #343a46); --back: light-dark(#ffffff, #14171d); --code: light-dark(#f4f6f9, #1e232c);
  --link: light-dark(#2456c7, #8ab0ff); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
.skip { position: absolute; left: -100vw; padding: 8px 12px; background: var(--back); }
.skip:focus { left: 8px; top: 8px; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: baseline; padding: 14px 20px; border-bottom: 1px solid var(--line); }
header nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.home { font-weight: 700; color: var(--text); text-decoration: none; }
[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 1120px; margin: 0 auto; padding: 8px 20px 64px; gap: 8px 40px; }
@media (min-width: 900px) { .page { grid-template-columns: 220px minmax(0, 1fr); }
  .sections { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; } }
.sections ul { list-style: none; margin: 0; padding: 20px 0 0; }
.sections li { padding: 3px 0; }
.sections { font-size: 14px; }
main { min-width: 0; overflow-wrap: anywhere; }
h1 { font-size: 30px; line-height: 1.2; }
h2 { margin-top: 44px; padding-top: 8px; border-top: 1px solid var(--line); }
code { background: var(--code); padding: 1px 4px; border-radius: 4px; font-size: 0.9em; }
pre { background: var(--code); padding: 12px 14px; border-radius: 8px; overflow: auto; overflow-wrap: normal; line-height: 1.45; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 15px; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th { color: var(--quiet); font-weight: 600; }
@media print { header, .sections { display: none; } }
`;
