import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Config } from '../../config.ts';
import type { ProjectPageRow } from '../../views/market/public.ts';
import type { Page } from './page-facts.ts';
import { headHtml, headOf } from './page-head.ts';

const PROJECT = '01a1fd78-f6c9-7477-9bba-5a17bd1eeab2';
const config = { site: { name: 'Café & <Créatif> $1', tagline: null, logo: null, accent: null } } as unknown as Config;
const project: ProjectPageRow = {
  id: PROJECT,
  title: 'A mark </title><script>alert(1)</script>" onload="x',
  description: `Twelve people & a "lighthouse" <b>. ${'Long. '.repeat(100)}`,
  status: 'open',
  prizeMicro: 120_000_000,
  entryFeeMicro: 500_000,
  colors: [],
  posterName: 'Press',
  winner: null,
};
const htmlOf = (page: Page | 'unknown' | null) =>
  headHtml(headOf(page, config), config, 'https://market.example', 'some-nonce');

describe('the head of a page', () => {
  it('has everything that a link preview needs, and strangers’ texts stay text', () => {
    const html = htmlOf({ kind: 'project', project });
    const title = 'A mark &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x';
    const expected = [
      `<title>${title} · Café &amp; &lt;Créatif&gt; $1</title>`,
      `<link rel="canonical" href="https://market.example/projects/${PROJECT}" />`,
      `<meta property="og:title" content="${title} · `,
      '<meta name="twitter:card" content="summary_large_image" />',
      `<meta property="og:image" content="https://market.example/share/projects/${PROJECT}.jpg?v=`,
      '<meta property="og:image:width" content="1200" />',
    ];
    for (const part of expected) assert.ok(html.includes(part), `${part}\n${html}`);
    assert.doesNotMatch(html, /<script(?! type="application\/ld\+json">)|<b>|noindex/);
    const [, description = ''] = /name="description" content="([^"]*)"/.exec(html) ?? [];
    assert.match(
      description,
      /^Open: 120 USDC prize, 0\.5 USDC to enter\. Twelve people &amp; a &quot;lighthouse&quot;/,
    );
    assert.ok(description.length < 300, description);
  });

  it('keeps pages without public content out of search engines', () => {
    for (const page of [null, 'unknown', { kind: 'private' }] as const) {
      const html = htmlOf(page);
      assert.match(html, /<meta name="robots" content="noindex" \/>/);
      assert.doesNotMatch(html, /canonical|og:image/);
    }
  });
});
