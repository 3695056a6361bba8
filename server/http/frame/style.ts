import type { Config } from '../../config.ts';

/**
 * Returns the style sheet of pages outside the console. Their colors are those of console/styles/tokens.css, with the
 * operator's accent. They follow the scheme that the reader chose in the console, or else that of the system.
 */
export function siteStyle({ accent }: Config['site']): string {
  const { light, dark } = accent ?? DEFAULT;
  return `:root { color-scheme: light dark; --paper: light-dark(#faf8f4, #141210); --surface: light-dark(#ffffff, #1d1a17);
  --raised: light-dark(#f3efe7, #282420); --ink: light-dark(#1c1a17, #f3eee5); --ink-soft: light-dark(#5f594f, #b0a799);
  --line: light-dark(#e6e0d5, #35302a); --line-strong: light-dark(#8f877a, #7d7569);
  --warn: light-dark(#875300, #f0c071); --warn-soft: light-dark(#f8ebcf, #352610);
  --accent: light-dark(${light.accent}, ${dark.accent}); --accent-ink: light-dark(${light.ink}, ${dark.ink});
  --sans: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif;
  --display: 'Iowan Old Style', Charter, 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, 'DejaVu Serif', serif; }
:root[data-scheme='light'] { color-scheme: light; }
:root[data-scheme='dark'] { color-scheme: dark; }
${RULES}`;
}

const DEFAULT = {
  light: { accent: '#b3361a', ink: '#ffffff' },
  dark: { accent: '#ff9371', ink: '#2a0d04' },
};

const RULES = `* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: 8px; top: 8px; z-index: 1; transform: translateY(-200%); padding: 8px 12px; background: var(--accent); color: var(--accent-ink); }
.skip:focus { transform: none; }
.site { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; padding: 8px 20px; border-bottom: 1px solid var(--line); }
.site nav { display: flex; flex-wrap: wrap; gap: 0 16px; }
.site nav a { padding: 4px 0; }
.home { display: inline-flex; align-items: center; gap: 8px; min-width: 0; min-height: 44px; color: var(--ink); font: 600 1.25rem var(--display);
  letter-spacing: -0.015em; text-decoration: none; overflow-wrap: anywhere; }
.home img { max-width: 120px; object-fit: contain; }
.home svg { flex: none; }
.network { margin: 0 0 0 auto; padding: 2px 12px; background: var(--raised); border-radius: 999px; color: var(--ink-soft);
  font-size: 0.8125rem; font-weight: 600; }
.network.test { background: var(--warn-soft); color: var(--warn); }
[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 1120px; margin: 0 auto; padding: 8px 20px 64px; gap: 8px 40px; }
@media (min-width: 900px) { .page.two { grid-template-columns: 220px minmax(0, 1fr); }
  .sections { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; } }
.sections ul { list-style: none; margin: 0; padding: 20px 0 0; }
.sections li { padding: 3px 0; }
.sections { font-size: 14px; }
.page main { min-width: 0; overflow-wrap: anywhere; }
h1, h2, h3 { font-family: var(--display); font-weight: 600; letter-spacing: -0.015em; }
h1 { font-size: 30px; line-height: 1.2; }
.page h2 { margin-top: 44px; padding-top: 8px; border-top: 1px solid var(--line); }
.page code { background: var(--raised); padding: 1px 4px; border-radius: 4px; font-size: 0.9em; }
.page pre { background: var(--raised); padding: 12px 14px; border-radius: 8px; overflow: auto; overflow-wrap: normal; line-height: 1.45; }
.page pre code { background: none; padding: 0; }
.table { overflow-x: auto; }
.page table { border-collapse: collapse; font-size: 15px; }
.page th, .page td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
.page th { color: var(--ink-soft); font-weight: 600; }
.page button { min-height: 44px; padding: 0 20px; background: var(--accent); color: var(--accent-ink); border: 0; border-radius: 10px;
  font: 600 1rem var(--sans); cursor: pointer; }
.readers { display: flex; flex-wrap: wrap; gap: 0 20px; }
.readers a { padding: 8px 0; }
.reference details { border: 1px solid var(--line); border-radius: 10px; margin: 8px 0; background: var(--surface); }
.reference summary { padding: 10px 14px; cursor: pointer; }
.reference summary span { color: var(--ink-soft); }
.reference .method { display: inline-block; min-width: 64px; font-size: 13px; }
.reference details > div { padding: 0 14px 10px; scroll-margin-top: 64px; }
.reference h3 { margin: 16px 0 4px; font-size: 17px; }
.reference table { width: 100%; }
.reference td:first-child { overflow-wrap: anywhere; min-width: 160px; }
.reference td i { color: var(--ink-soft); font-size: 13px; }
@media print { .site, .sections { display: none; } }
`;

/** Applies the scheme that the reader chose in the console (console/styles/color-scheme.ts), before the first paint. */
export const SCHEME_SCRIPT = `{
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      const value = localStorage.getItem('concours-color-scheme');
      return value === 'light' || value === 'dark' ? value : null;
    } catch {
      return null;
    }
  };
  const apply = () => {
    document.documentElement.dataset.scheme = chosen() ?? (system.matches ? 'dark' : 'light');
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', apply);
}
`;
