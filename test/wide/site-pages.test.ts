import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { CHAPTER_FOLDERS } from '../../server/http/front/guides.ts';
import { GUIDES } from '../../server/http/frame/public.ts';
import { misfitsOf } from '../support/console/console-pages.ts';
import { skip, startConsoleWorld, type View, views } from '../support/console/console-world.ts';

// The pages outside the console in a browser: the API reference, a guide, and a page behind a link in an email.

const consoleWorld = await startConsoleWorld();
const PAGES = { reference: '/docs', guide: '/docs/agents', mail: '/mail/verify/x' };

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const WIDTHS = [320, 390, 720, 1440, 2560];

const background = 'getComputedStyle(document.body).backgroundColor';
const LIGHT = 'rgb(250, 248, 244)';
const DARK = 'rgb(20, 18, 16)';

describe('the pages outside the console', { skip }, () => {
  assert.ok(consoleWorld);
  const { open, world } = consoleWorld;

  for (const [name, path] of Object.entries(PAGES))
    for (const view of Object.keys(views) as View[])
      it(`${name}, ${view}: passes axe, fits the window, and leads home`, async () => {
        const { page, context, assertQuiet, assertAccessible, shoot } = await open(PAGES.mail, view);
        // The renderer of the reference takes its time on a busy machine.
        page.setDefaultTimeout(120_000);
        await page.goto(world.url + path);
        if (name === 'reference') {
          await page.locator('.opblock').first().waitFor();
        }
        assert.equal(await page.evaluate(background), view === 'dark' ? DARK : LIGHT);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
        await page.getByText('Test network, no real money').waitFor();
        await shoot(`${name}-${view}`, 'window');
        await assertAccessible();
        await page.getByRole('link', { name: 'Concours: market' }).click();
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.equal(new URL(page.url()).pathname, '/');
        assertQuiet();
        await context.close();
      });

  /** Returns what does not fit on the page that is open, at each width. */
  async function measure(page: Page): Promise<string[]> {
    const misfits: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      misfits.push(...(await misfitsOf(page)).map((each) => `${page.url()} at ${width}: ${each}`));
    }
    return misfits;
  }

  it('every guide and chapter has room for its texts at every width', async () => {
    const { page, context } = await open('/docs/agents');
    const chapters = CHAPTER_FOLDERS.flatMap((folder) => globSync(`${folder}/*.md`, { cwd: DOCS }))
      .map((file) => file.replace(/\.md$/, ''))
      .filter((name) => !name.endsWith('README'));
    assert.ok(chapters.length > 40);
    const misfits: string[] = [];
    for (const name of [...GUIDES.map((guide) => guide.name), ...chapters]) {
      await page.goto(`${world.url}/docs/${name}`);
      misfits.push(...(await measure(page)));
    }
    assert.deepEqual(misfits, []);
    await context.close();
  });

  for (const language of ['en', 'de', 'es', 'fr', 'zh'])
    it(`${language}: the pages behind links in emails have room for their texts at every width`, async () => {
      const { page, context } = await open(PAGES.mail, 'light', { locale: language });
      const misfits = await measure(page);
      // The link is not valid, which the next page says.
      await page.locator('form button').click();
      await page.locator('form').waitFor({ state: 'detached' });
      misfits.push(...(await measure(page)));
      await page.goto(`${world.url}/mail/unsubscribe/x`);
      misfits.push(...(await measure(page)));
      assert.deepEqual(misfits, []);
      await context.close();
    });

  it('have the colors that the reader chose in the console', async () => {
    const { page, context } = await open('/');
    page.setDefaultTimeout(120_000);
    await page.getByRole('button', { name: 'Switch to dark colors' }).click();
    for (const path of [PAGES.reference, PAGES.guide]) {
      await page.goto(world.url + path);
      assert.equal(await page.evaluate(background), DARK, path);
    }
    await context.close();
  });
});
