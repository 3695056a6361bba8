import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { DomainError } from '../../../contract/basics/errors.ts';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import { networks } from '../../chain/networks.ts';
import type { Config } from '../../config.ts';
import { createLog } from '../../log.ts';
import type { Db } from '../../db/database.ts';
import { ENGLISH, PAGE_TEXTS } from '../frame/page-texts.ts';
import { mountConsole } from './console.ts';
import { createFindPage } from './page-facts.ts';
import { type ConsoleBuild, readConsole } from './console-files.ts';

const SCRIPT = `export const text = '${'console '.repeat(200)}';`;
const PAGE =
  '<!doctype html><html lang="en" data-about><meta name="csp-nonce" nonce="__NONCE__"><!--head--><title>Console</title><!--/head--><b>__SITE_NAME__</b><!--early--><h1>__EARLY_TITLE__</h1><p>__EARLY_LEAD__</p><!--/early-->';

const folder = await mkdtemp(join(tmpdir(), 'concours-console-'));
after(() => rm(folder, { recursive: true, force: true }));
await mkdir(join(folder, 'abc', 'assets'), { recursive: true });
await mkdir(join(folder, 'abc', '.vite'));
await Promise.all([
  writeFile(join(folder, 'current'), 'abc'),
  writeFile(join(folder, 'secret.js'), 'of somebody else'),
  writeFile(join(folder, 'abc', 'index.html'), PAGE),
  writeFile(join(folder, 'abc', 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  writeFile(join(folder, 'abc', '.vite', 'manifest.json'), '{}'),
  writeFile(join(folder, 'abc', 'assets', 'main-1a2b.js'), SCRIPT),
  writeFile(join(folder, 'abc', 'assets', 'main-1a2b.js.br'), brotliCompressSync(SCRIPT)),
  writeFile(join(folder, 'abc', 'assets', 'main-1a2b.js.gz'), gzipSync(SCRIPT)),
]);
const build = await readConsole(folder);

const site: Config['site'] = { name: 'Café & <Créatif> $1', logo: null, accent: null };
const publicUrl = 'https://market.example';
const clock = { now: () => new Date() };
const PROJECT = '01a1fd78-f6c9-7477-9bba-5a17bd1eeab2';
const findPage = createFindPage({
  clock,
  log: createLog('silent'),
  guarded: (work) => work(),
  // Only a query for the known id has an answer.
  reads: (async (_text: unknown, ...values: unknown[]) =>
    values.includes(PROJECT)
      ? [{ id: PROJECT, title: 'Known <script>', description: '', status: 'open' }]
      : []) as unknown as Db,
});

function app(served: ConsoleBuild | null = build) {
  const made = new Hono<{ Bindings: HttpBindings }>();
  made.get('/healthz', (c) => c.text('ok'));
  const config = { site } as Config;
  const parts = {
    config,
    publicUrl,
    mediaUrls: createMediaUrls({ publicUrl, signingKey: randomBytes(32), clock }),
    randomBytes,
    network: networks['eip155:84532'],
    findPage,
  };
  mountConsole(made, parts, served);
  made.notFound((c) => c.json({ success: false, error: { code: new DomainError('NOT_FOUND', '').code } }, 404));
  return made;
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app().request(path, { headers, method });
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('pages of the console', () => {
  const paths = [
    '/',
    `/projects/${PROJECT}`,
    '/leaderboard',
    '/agents/start',
    '/poster',
    `/poster/projects/${PROJECT}`,
    `/poster/projects/${PROJECT}/receipt`,
    '/agent',
    '/agent/keys/',
    '/operator',
    `/operator/people/agents/${PROJECT}`,
  ];
  it('are one document, at every path of the console', async () => {
    for (const path of paths) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(await response.text(), /<title>(?:[^<]+ · )?Café &amp; &lt;Créatif&gt; \$1<\/title>/);
    }
  });

  it('have their heading before any script runs, in the language of their reader', async () => {
    assert.match(await (await get(`/projects/${PROJECT}`)).text(), /<h1>Known &lt;script&gt;<\/h1>/);
    const served = { ...(build as ConsoleBuild), texts: { en: '/assets/en-1a2b.js', de: '/assets/de-1a2b.js' } };
    const cases: [Record<string, string>, string][] = [
      [{}, 'en'],
      [{ 'accept-language': 'pt-BR,de-AT;q=0.9,en;q=0.8' }, 'de'],
      [{ 'accept-language': 'de', cookie: 'other=1; language=en' }, 'en'],
    ];
    for (const [headers, language] of cases) {
      const response = await app(served).request('/', { headers });
      const text = await response.text();
      const { titles, leads } = PAGE_TEXTS[language] ?? ENGLISH;
      for (const part of [
        `<html lang="${language}" data-site=`,
        `<title>${titles.market} · `,
        `<h1>${titles.market}</h1><p>${leads.market}</p>`,
        `<meta name="description" content="${leads.market}" />`,
        `<link rel="modulepreload" href="/assets/${language}-1a2b.js" />`,
      ])
        assert.ok(text.includes(part), part);
      assert.equal(response.headers.get('vary'), 'Accept-Language, Cookie');
    }
  });

  it('must not be framed, cached, sniffed, or opened by other sites', async () => {
    const { headers } = await get('/');
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((part) => {
        const [name = '', ...values] = part.split(' ');
        return [name, values.join(' ')];
      }),
    );
    for (const name of ['default-src', 'frame-ancestors', 'base-uri']) assert.equal(policy.get(name), "'none'", name);
    for (const name of ['script-src', 'connect-src', 'form-action']) assert.equal(policy.get(name), "'self'", name);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\).*payment=\(\)/);
    assert.match(policy.get('style-src') ?? '', /^'self' 'nonce-[\w-]{22}'$/);
  });

  it('that do not exist are a 404: a page for browsers, the envelope for other clients', async () => {
    const page = await get('/nothing', asBrowser);
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
    assert.match(await page.text(), /<title>Page not found · /);
    const other = await get('/nothing');
    assert.equal(other.status, 404);
    assert.equal(((await other.json()) as { success: boolean }).success, false);
  });

  it('of an unknown project, agent, or section are a 404 for every client', async () => {
    const other = PROJECT.replace('01', '02');
    const missing = [
      `/projects/${other}`,
      '/projects/019',
      '/projects',
      `/agents/${other}`,
      '/agents/nobody',
      '/agent/nothing',
      `/projects/${PROJECT}/more`,
      '/leaderboard/more',
    ];
    for (const path of missing) {
      const page = await get(path);
      assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
      assert.match(await page.text(), /<title>Page not found · [^]*<meta name="robots" content="noindex" \/>/);
    }
  });

  it('say how to build the console when it is not built', async () => {
    for (const path of ['/', `/projects/${PROJECT}`, '/poster']) {
      const response = await app(null).request(path);
      assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
      assert.match(await response.text(), /npm start/);
    }
    assert.equal(await readConsole(join(folder, 'nowhere')), null);
    await mkdir(join(folder, 'half'));
    await writeFile(join(folder, 'half', 'current'), 'gone');
    assert.equal(await readConsole(join(folder, 'half')), null);
  });
});

describe('files of the console', () => {
  it('are cached forever when their name contains a hash, and for an hour otherwise', async () => {
    const script = await get('/assets/main-1a2b.js');
    assert.equal(script.status, 200);
    assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(script.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(await script.text(), SCRIPT);
    const icon = await get('/favicon.svg');
    assert.equal(icon.headers.get('cache-control'), 'public, max-age=3600');
    assert.match(icon.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.match(icon.headers.get('content-security-policy') ?? '', /sandbox/);
  });

  it('are compressed as the client accepts', async () => {
    const taken = async (accept: string) => {
      const { headers } = await get('/assets/main-1a2b.js', { 'accept-encoding': accept });
      return [headers.get('content-encoding'), headers.get('content-length'), headers.get('vary')];
    };
    const sizes = { br: brotliCompressSync(SCRIPT).length, gzip: gzipSync(SCRIPT).length, plain: SCRIPT.length };
    assert.deepEqual(await taken('gzip, deflate, br'), ['br', String(sizes.br), 'Accept-Encoding']);
    assert.deepEqual(await taken('gzip, br;q=0'), ['gzip', String(sizes.gzip), 'Accept-Encoding']);
    assert.deepEqual(await taken('br;q=0'), [null, String(sizes.plain), 'Accept-Encoding']);
  });

  it('are not found when their folder is gone', async () => {
    const response = await app({ ...(build as ConsoleBuild), folder: join(folder, 'removed') }).request(
      '/assets/main-1a2b.js',
    );
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('cache-control'), null);
  });

  it('are only those of the build, whatever the path', async () => {
    const outside = [
      '/../secret.js',
      '/assets/../../secret.js',
      '/%2e%2e/secret.js',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.js',
      '/assets/..%5c..%5csecret.js',
      '/secret.js',
      '/.vite/manifest.json',
      '/index.html',
      '/current',
      '/assets/main-1a2b.js.br',
      '/assets/main-1a2b.js%00',
      '/assets/',
      '/assets/__proto__',
      '//etc/passwd',
    ];
    for (const path of outside) {
      const response = await app().request(new Request(`http://localhost${path}`));
      assert.equal(response.status, 404, path);
      assert.doesNotMatch(await response.text(), /somebody else|root:/);
    }
  });
});

it('a path outside of the console is left to other routes, also for a browser', async () => {
  assert.equal(await (await get('/healthz', asBrowser)).text(), 'ok');
  const paths = ['/api/v1/nothing', '/api', '/docs/nothing', '/media/1/image', '/storage/x', '/network', '/dev/faucet'];
  for (const path of [...paths, '/assets/gone-1a2b.js']) {
    const response = await get(path, asBrowser);
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type') ?? '', /json/, path);
  }
});
