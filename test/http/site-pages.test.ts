import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Config } from '../../server/config.ts';
import { ENGLISH, framedPage, siteStyle } from '../../server/http/frame/public.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The pages outside the console: guides, the API reference, and those behind links in emails.

const NAME = 'Café “Créatif” & <Söhne>';
const SHOWN = 'Café “Créatif” &amp; &lt;Söhne&gt;';
const { url, errors } = await startWorld({ console: true, env: { SITE_NAME: NAME, SITE_ACCENT: '#1f5fa8' } });

const LINK = '/mail/verify/x';
const PAGES = ['/docs', '/docs/agents', '/docs/runbooks/README', LINK];

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers: { accept: 'text/html', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a page outside the console', () => {
  for (const path of PAGES)
    it(`${path}: has the name of the site with a link home, and the network of its money`, async () => {
      const { status, text } = await read(path);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<title>[^<]+ · ${SHOWN}</title>`));
      assert.match(
        text,
        new RegExp(`<a class="home" href="/" aria-label="${SHOWN}: market">.+<span>${SHOWN}</span></a>`),
      );
      assert.match(text, /<p class="network test">Test network, no real money<\/p>/);
      assert.match(text, /<a class="skip" href="#content">[^]+<(?:main|div) id="content">/);
      assert.ok(!text.includes('<Söhne>'));
    });

  it('says that the money is real where it is', () => {
    const site = { name: NAME, tagline: null, logo: null, accent: null };
    const content = { language: 'en', title: 'A', texts: ENGLISH.frame, body: '<main id="content"></main>' };
    assert.match(framedPage({ site, testnet: false }, content), /<p class="network">Real money<\/p>/);
    assert.match(framedPage({ site, testnet: true }, content), /<p class="network test">Test network/);
  });

  it('has light and dark colors with the operator’s accent, and follows the choice of the console', async () => {
    const { text } = await read('/docs/guide.css');
    assert.match(text, /--accent: light-dark\(#1f5fa8, #[0-9a-f]{6}\)/);
    const site: Config['site'] = { name: NAME, tagline: null, logo: null, accent: null };
    assert.match(siteStyle(site), /--accent: light-dark\(#b3361a, #ff9371\)/);
    for (const path of PAGES.filter((each) => each !== LINK))
      assert.ok((await read(path)).text.includes('<script src="/docs/scheme.js"></script>'), path);
    assert.match((await read('/docs/scheme.js')).text, /concours-color-scheme/);
  });
});

describe('a page behind a link in an email', () => {
  it('is in the language that the reader chose, or else that of the browser', async () => {
    const cases: [Record<string, string>, string, string][] = [
      [{}, 'en', 'Confirm your address'],
      [{ 'accept-language': 'de-AT,en;q=0.5' }, 'de', 'Adresse bestätigen'],
      [{ 'accept-language': 'de', cookie: 'language=fr' }, 'fr', 'Confirmez votre adresse'],
      [{ 'accept-language': 'pt' }, 'en', 'Confirm your address'],
    ];
    for (const [headers, language, title] of cases) {
      const { text, headers: answer } = await read(LINK, headers);
      assert.match(text, new RegExp(`<html lang="${language}">`));
      assert.ok(text.includes(`<h1>${title}</h1>`), title);
      assert.equal(answer.get('vary'), 'Accept-Language, Cookie');
    }
    const { status, text } = await read('/mail/unsubscribe/x', { 'accept-language': 'zh-CN' });
    assert.equal(status, 404);
    assert.match(text, /<h1>未知链接<\/h1>/);
  });

  it('runs no script, and tells its address to nobody', async () => {
    const { text, headers } = await read(LINK);
    assert.doesNotMatch(text, /<script/);
    const policy = headers.get('content-security-policy') ?? '';
    assert.doesNotMatch(policy, /script-src/);
    assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
