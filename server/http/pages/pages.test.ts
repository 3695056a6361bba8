import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Config } from '../../config.ts';
import type { ProjectPageRow } from '../../projects/market/page-queries.ts';
import type { Page } from './page-facts.ts';
import { headHtml, headOf } from './page-head.ts';
import { safeFileName } from '../../delivery/file-names.ts';
import { attachment } from './originals.ts';
import { privateRoutes } from '../../../test/support/console/console-routes.ts';
import { isPrivatePage } from './private-pages.ts';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import { ENGLISH } from '../frame/page-texts.ts';
import { sendParts } from './sending.ts';

const PROJECT = '01a1fd78-f6c9-7477-9bba-5a17bd1eeab2';
const config = { site: { name: 'Café & <Créatif> $1', logo: null, accent: null } } as unknown as Config;

const project: ProjectPageRow = {
  id: PROJECT,
  title: 'A mark </title><script>alert(1)</script>" onload="x',
  description: `Twelve people & a "lighthouse" <b>. ${'Long. '.repeat(100)}`,
  status: 'open',
  prizeMicro: 120_000_000,
  entryFeeMicro: 500_000,
  winner: null,
};

const publicUrl = 'https://market.example';
const mediaUrls = createMediaUrls({ publicUrl, signingKey: randomBytes(32), clock: { now: () => new Date() } });
const htmlOf = (page: Page | 'unknown' | null) =>
  headHtml(headOf(page, { ...config, mediaUrls }, ENGLISH), config, publicUrl, 'some-nonce');

const CHUNK = 64 * 1024;
const rate = { windowMs: 60_000, leastBytes: 2 * CHUNK };

describe('the head of a page', () => {
  it('has everything that a link preview needs, and strangers’ texts stay text', () => {
    const html = htmlOf({ kind: 'project', project });
    const title = 'A mark &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x';
    const expected = [
      `<title>${title} · Café &amp; &lt;Créatif&gt; $1</title>`,
      `<link rel="canonical" href="https://market.example/projects/${PROJECT}" />`,
      `<meta property="og:title" content="${title} · `,
      '<meta name="twitter:card" content="summary" />',
    ];
    for (const part of expected) assert.ok(html.includes(part), `${part}\n${html}`);
    assert.doesNotMatch(html, /<script|<b>|noindex|og:image/);
    const [, description = ''] = /name="description" content="([^"]*)"/.exec(html) ?? [];
    assert.match(
      description,
      /^Open: 120 USDC prize, 0\.5 USDC to enter\. Twelve people &amp; a &quot;lighthouse&quot;/,
    );
    assert.ok(description.length < 300, description);
  });

  it('shows the public copy of the winning entry', () => {
    const winner = { mediaFileId: PROJECT, agentName: 'Vermeer' };
    const html = htmlOf({ kind: 'project', project: { ...project, status: 'completed', winner } });
    assert.match(html, new RegExp(`og:image" content="${publicUrl}/media/${PROJECT}/plain-image[?]expires=`));
    assert.match(html, new RegExp(`<link rel="preload" as="image" href="/media/${PROJECT}/plain-image[?]expires=`));
    assert.match(html, /<meta name="twitter:card" content="summary_large_image" \/>/);
  });

  it('keeps pages without public content out of search engines', () => {
    for (const page of [null, 'unknown', { kind: 'private' }] as const) {
      const html = htmlOf(page);
      assert.match(html, /<meta name="robots" content="noindex" \/>/);
      assert.doesNotMatch(html, /canonical|og:image/);
    }
  });
});

describe('the name of a download', () => {
  it('is the one that its agent gave, unless it deceives or a system refuses it', () => {
    for (const [name, type] of [
      ['entry.png', 'image/png'],
      ['Leuchtturm bei Nacht (2).PNG', 'image/png'],
      ['灯台.webp', 'image/webp'],
      ['a.b.jpeg', 'image/jpeg'],
      ['100% "sure".jpg', 'image/jpeg'],
    ] as const)
      assert.equal(safeFileName(name, type), name.replaceAll('"', '_'));
    const changed = {
      'invoice.exe': 'invoice.exe.png',
      'a\u202egnp.exe': 'agnp.exe.png',
      '..png': '_png.png',
      '.htaccess.png': '_htaccess.png',
      'con:stream.png': 'con_stream.png',
      'a/../b.png': 'a_.._b.png',
      'line\nbreak.png': 'linebreak.png',
      'lone\ud800.png': 'lone\ufffd.png',
    };
    for (const [name, safe] of Object.entries(changed)) assert.equal(safeFileName(name, 'image/png'), safe);
  });

  it('cannot break its header', () => {
    assert.equal(
      attachment(`50% 'off' ü"\\.png`),
      `attachment; filename="50_ 'off' ___.png"; filename*=UTF-8''50%25%20%27off%27%20%C3%BC%22%5C.png`,
    );
    for (const name of ['a\r\nx: y.png', '灯\u2028台.png', '"; filename="x.exe'])
      assert.match(attachment(name), /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%!~-]*$/);
  });
});

it('the private pages that the server knows are the routes of the console behind a sign-in, and no others', () => {
  const paths = privateRoutes(PROJECT);
  assert.ok(paths.length >= 20, paths.join(' '));
  for (const path of paths)
    for (const spelled of [path, path.toUpperCase()]) assert.ok(isPrivatePage(spelled), spelled);
  const source = readFileSync(join(import.meta.dirname, 'private-pages.ts'), 'utf8');
  const listed = [...source.matchAll(/^ {2}'(\/[^']*)',$/gm)].map(([, path = '']) => path.replace('$', PROJECT));
  assert.deepEqual(listed.toSorted(), paths.toSorted());
  for (const area of ['/poster', '/agent', '/operator'])
    for (const part of ['nothing', 'keys/more', 'projects/1', 'agents/019', `keys/${PROJECT}`, 'projects/$', ''])
      assert.ok(!isPrivatePage(`${area}/${part}`), `${area}/${part}`);
});

describe('a body that is sent', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function sent(chunks: number) {
    const { stream, ended } = sendParts([Buffer.alloc(chunks * CHUNK)], rate, undefined);
    const reader = stream.getReader();
    const take = async (count: number) => {
      for (let left = count; left > 0; left -= 1) assert.equal((await reader.read()).value?.length, CHUNK);
    };
    return { reader, ended, take };
  }

  it('goes on for as long as the client takes the least rate in every window', async () => {
    const { reader, ended, take } = sent(7);
    for (let window = 0; window < 3; window += 1) {
      await take(2);
      mock.timers.tick(rate.windowMs);
    }
    await take(1);
    assert.equal((await reader.read()).done, true);
    assert.equal(await ended, null);
    mock.timers.tick(10 * rate.windowMs);
  });

  for (const taken of [0, 1])
    it(`breaks off at the end of a window in which the client took ${taken} of 2 chunks`, async () => {
      const { reader, ended, take } = sent(7);
      // A fast start does not count for later windows.
      await take(4);
      mock.timers.tick(rate.windowMs);
      await take(taken);
      mock.timers.tick(rate.windowMs - 1);
      assert.equal(await Promise.race([ended, Promise.resolve('sending')]), 'sending');
      mock.timers.tick(1);
      assert.match(String(await ended), /read too slowly/);
      await assert.rejects(reader.read(), /read too slowly/);
    });
});
