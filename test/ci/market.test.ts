import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { privateRoutes } from '../support/console/private-routes.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';
import { drawPictures, seedMarket } from '../support/console/console-seed.ts';

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const market = consoleWorld ? await seedMarket(consoleWorld.world, pictures) : null;
const everyView = Object.keys(views) as View[];

describe('the public market in a browser', { skip }, () => {
  assert.ok(consoleWorld && market);
  const pages = {
    market: '/',
    filters: '/?q=the&status=completed&min=10&max=500&order=prize',
    empty: '/?q=submarine',
    project: `/projects/${market.open[0]!.id}`,
    judging: `/projects/${market.judging.id}`,
    completed: `/projects/${market.completed.id}`,
    leaderboard: '/leaderboard',
    agent: `/agents/${market.artists[0]!.id}`,
    missing: '/nothing/here',
  };

  for (const [name, path] of Object.entries(pages)) {
    for (const view of everyView) {
      it(`${name}, ${view}: loads without errors and passes axe`, async () => {
        const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(path, view);
        await page.waitForLoadState('networkidle');
        await shoot(`${name}-${view}`);
        await assertAccessible();
        // The missing page returns 404, which the browser logs as an error.
        assertQuiet(/nothing/);
        await context.close();
      });
    }
  }

  it('every page behind a sign-in loads by its address, without errors, and asks for the sign-in', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/');
    for (const path of privateRoutes(market.judging.id)) {
      await page.goto(consoleWorld.world.url + path);
      await page.locator('main input[type="password"]').waitFor();
    }
    assertQuiet();
    await context.close();
  });

  it('every link of every page leads somewhere', async () => {
    const { page, context } = await consoleWorld.open('/');
    const { url } = consoleWorld.world;
    const paths = new Set(['/', '/docs']);
    const broken: string[] = [];
    // The loop also reaches the paths that it adds.
    for (const path of paths) {
      const answer = await context.request.get(url + path, { headers: { accept: 'text/html' } });
      if (!answer.ok()) broken.push(`${answer.status()} ${path}`);
      if (!answer.headers()['content-type']?.startsWith('text/html')) continue;
      await page.goto(url + path);
      await page.locator('h1').first().waitFor();
      await settled(page);
      const links = await page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map((each) => each.href)');
      for (const link of links) if (link.startsWith(`${url}/`)) paths.add(new URL(link).pathname);
    }
    assert.deepEqual(broken, []);
    assert.ok(paths.size >= 20, [...paths].join(' '));
    await context.close();
  });

  it('the accessibility check finds planted violations', async () => {
    const { page, context, assertAccessible } = await consoleWorld.open('/');
    // The page's policy blocks inline styles in markup, so a script sets them.
    await page.evaluate(`
      document.querySelector('main').insertAdjacentHTML('beforeend', '<img src="/favicon.svg"><p>Hardly to be read</p>');
      document.querySelector('main').lastChild.style.cssText = 'color: #ddd; background: #fff';`);
    await assert.rejects(assertAccessible(), /color-contrast: [^]*Hardly to be read[^]*image-alt: /);
    await context.close();
  });

  for (const view of everyView) {
    it(`the lightbox, ${view}: opens without errors and passes axe`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(pages.completed, view);
      await page.getByRole('button', { name: /^Harbour mouth/ }).click();
      await page.getByRole('dialog').getByText('Harbour mouth').waitFor();
      await page.waitForLoadState('networkidle');
      await shoot(`lightbox-${view}`, 'window');
      await assertAccessible();
      assertQuiet();
      await context.close();
    });
  }
});
