import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { skip, startConsoleWorld, type View, views } from '../support/console/console-world.ts';

// The pages outside the console in a browser: the API reference, a guide, and a page behind a link in an email.

const consoleWorld = await startConsoleWorld();
const PAGES = { reference: '/docs', guide: '/docs/agents', mail: '/mail/verify/x' };

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
