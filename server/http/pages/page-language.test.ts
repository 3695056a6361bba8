import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { networks } from '../../chain/networks.ts';
import type { Config } from '../../config.ts';
import { mountConsole } from './console.ts';
import { ENGLISH } from '../frame/public.ts';
import type { Words } from './console-files.ts';

const PAGE =
  '<html lang="en" data-about><!--head--><!--/head--><!--market--><h1><!--tagline-->x<!--/tagline--></h1><p><!--lead-->x<!--/lead--></p><!--/market-->';

const wordsOf = (language: string): Words => ({
  preload: [`/assets/text-${language}-shell-1a2b.js`],
  leads: { market: `Lead <${language}>`, leaderboard: `Ranked ${language}`, start: '' },
  titles: { market: `Market ${language}`, leaderboard: '', start: '', missing: `None ${language}` },
  pages: ENGLISH,
});

const app = new Hono<{ Bindings: HttpBindings }>();
mountConsole(
  app,
  {
    config: { site: { name: 'Concours', tagline: null, logo: null, accent: null } } as Config,
    publicUrl: 'https://market.example',
    randomBytes,
    network: networks['eip155:84532'],
    findPage: async () => ({ kind: 'market' }),
  },
  { page: PAGE, words: { en: wordsOf('en'), de: wordsOf('de') }, files: new Map() },
);

const cases: [Record<string, string>, string][] = [
  [{}, 'en'],
  [{ 'accept-language': 'pt-BR,de-AT;q=0.9,en;q=0.8' }, 'de'],
  [{ 'accept-language': 'de', cookie: 'other=1; language=en' }, 'en'],
];

for (const [headers, language] of cases)
  it(`a page for ${JSON.stringify(headers)} is in ${language}`, async () => {
    const response = await app.request('/', { headers });
    const text = await response.text();
    assert.match(text, new RegExp(`<html lang="${language}" data-site=`));
    assert.match(text, new RegExp(`<title>Market ${language} · `));
    assert.match(text, new RegExp(`<h1>Market ${language}</h1><p>Lead &lt;${language}&gt;</p>`));
    assert.match(text, new RegExp(`<meta name="description" content="Lead &lt;${language}&gt;" />`));
    assert.match(text, new RegExp(`<link rel="modulepreload" href="/assets/text-${language}-shell-1a2b.js" />`));
    assert.equal(response.headers.get('vary'), 'Accept-Language, Cookie');
  });
