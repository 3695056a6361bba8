import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { market as marketText, messages, poster as words } from '../../console/messages/public.ts';
import { openProject, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { swipe } from '../support/console/console-touch.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';
import { drawPictures, seedMarket } from '../support/console/console-seed.ts';

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const market = consoleWorld ? await seedMarket(consoleWorld.world, pictures) : null;

describe('the public pages', { skip }, () => {
  assert.ok(consoleWorld && market);
  const { world, open } = consoleWorld;
  const cards = '#briefs article';

  it('a new project appears automatically', async () => {
    const { page, context, assertQuiet } = await open('/');
    await page.locator(cards).first().waitFor();
    const before = await page.locator(cards).count();
    const title = 'A stamp for the ferry';
    await openProject(world, { fields: { title }, deadline: new Date(Date.now() + 7_200_000) });
    await page.getByRole('link', { name: title }).waitFor({ timeout: 25_000 });
    assert.equal(await page.locator(cards).count(), before + 1);
    assertQuiet();
    await context.close();
  });

  it('filters are in the URL, and a URL sets the filters', async () => {
    const { page, context, assertQuiet } = await open('/');
    await page.getByRole('searchbox', { name: 'Search titles' }).fill('tea');
    await page.waitForURL(/[?&]q=tea/);
    await page.locator(cards, { hasText: 'tea company' }).waitFor();
    await until('one card', async () => (await page.locator(cards).count()) === 1);
    await page.reload();
    await until('one card', async () => (await page.locator(cards).count()) === 1);
    assert.equal(await page.getByRole('searchbox').inputValue(), 'tea');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await until('all cards', async () => (await page.locator(cards).count()) > 3);
    assert.equal(new URL(page.url()).search, '');
    await page.getByLabel('Show').selectOption('completed');
    await page.locator(cards, { hasText: 'Won by Ferrous Bloom' }).waitFor();
    assert.match(page.url(), /status=completed/);
    await page.goto(`${world.url}/?q=nothing-is-called-this&status=nonsense`);
    await page.getByText('No brief matches').waitFor();
    assertQuiet();
    await context.close();
  });

  it('explains a wrong amount at its field, and keeps the filters', async () => {
    const { page, context, assertQuiet, assertAccessible } = await open('/?min=10');
    const field = page.getByLabel(marketText.filters.max);
    for (const wrong of ['ten', '-1', '2000000']) {
      await field.fill(wrong);
      await field.press('Enter');
      await page.getByText(marketText.filters.wrong({ most: 1_000_000 })).waitFor();
      assert.equal(await field.inputValue(), wrong);
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
    }
    assert.equal(new URL(page.url()).search, '?min=10');
    await assertAccessible();
    await field.fill('500');
    await field.press('Enter');
    await page.waitForURL(/max=500/);
    assert.equal(await page.getByText(marketText.filters.wrong({ most: 1_000_000 })).count(), 0);
    assertQuiet();
    await context.close();
  });

  it('works by keyboard: skips the navigation, opens a project, and focuses its heading', async () => {
    const { page, context, assertQuiet } = await open('/');
    await page.locator(cards).first().waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    await page.getByRole('link', { name: 'Pattern for a tea company’s tins' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects\//);
    await page.locator('h1:focus', { hasText: 'Pattern for a tea' }).waitFor();
    await until('its title', async () => (await page.title()).startsWith('Pattern for a tea'));
    await page.goBack();
    await page.locator(cards).first().waitFor();
    assertQuiet();
    await context.close();
  });

  it('follows the system’s color scheme until the user chooses one, and keeps the choice', async () => {
    const { page, context } = await open('/', 'dark');
    const scheme = () => page.evaluate(`document.documentElement.dataset.mantineColorScheme`);
    assert.equal(await scheme(), 'dark');
    await page.getByRole('button', { name: 'Switch to light colors' }).click();
    assert.equal(await scheme(), 'light');
    await page.reload();
    await page.getByRole('button', { name: 'Switch to dark colors' }).waitFor();
    assert.equal(await scheme(), 'light');
    await context.close();
  });

  it('starts no transition with another color scheme if the user asks for reduced motion', async () => {
    const { page, context } = await open('/', 'light', { reducedMotion: 'reduce' });
    await page.locator(cards).first().waitFor();
    const transitions = await page.evaluate<number>(`(() => {
      document.documentElement.dataset.mantineColorScheme = 'dark';
      return document.getAnimations().length;
    })()`);
    assert.equal(transitions, 0);
    await context.close();
  });

  it('explains failures and how to continue: rate limit, network, service', async () => {
    const { page, context, shoot, assertAccessible } = await open('/leaderboard');
    const answer = (status: number, code: string) => ({
      status,
      headers: { 'content-type': 'application/json', 'retry-after': '7', 'x-request-id': '01a1' },
      body: JSON.stringify({ success: false, error: { code, message: 'No.' } }),
    });
    await page.route(/\/api\/v1\/projects\?/, (route) => route.fulfill(answer(429, 'RATE_LIMIT_EXCEEDED')));
    await page.getByRole('link', { name: 'Market', exact: true }).click();
    await page.getByText('Try again in 7 seconds').waitFor();
    await page.getByText('Request 01a1').waitFor();
    await page.unroute(/\/api\/v1\/projects\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(cards).first().waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline').waitFor();
    assert.ok((await page.locator(cards).count()) > 0, 'loaded data stays');
    await context.setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await page.route(/\/(?:api\/v1\/|healthz)/, (route) => route.abort('connectionrefused'));
    await page.getByText(messages.unreachable).waitFor({ timeout: 20_000 });
    assert.ok((await page.locator(cards).count()) > 0, 'loaded data stays');
    await shoot('unreachable-light');
    await assertAccessible();
    await page.unroute(/\/(?:api\/v1\/|healthz)/);
    await page.getByText(messages.unreachable).waitFor({ state: 'detached' });
    await page.goto(`${world.url}/projects/01a1fd68-1a1d-7b89-b14d-8a21a36746c2`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await context.close();
  });

  it('reads again after a 429, when `Retry-After` is over', async () => {
    const poster = await registerPoster(world.url);
    const { page, context } = await open('/poster');
    await page.getByLabel(words.signIn.label, { exact: true }).fill(poster.key);
    await page.getByRole('button', { name: words.signIn.open }).click();
    await page.getByText(words.home.empty.title).waitFor();
    const refused: string[] = [];
    await page.route(/\/api\/v1\/(?:posters\/session|network)$/, async (route) => {
      const path = new URL(route.request().url()).pathname;
      if (refused.includes(path)) return await route.continue();
      refused.push(path);
      const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'No.' };
      return await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { success: false, error } });
    });
    await page.reload();
    await page.getByText('Try again in 2 seconds').waitFor();
    await page.getByText(words.home.empty.title).waitFor();
    await page.getByText('Test network, no real money').waitFor();
    assert.equal(refused.length, 2);
    await context.close();
  });

  it('opens a picture, moves by arrow keys, and returns the focus', async () => {
    const { page, context, assertQuiet, assertAccessible } = await open(`/projects/${market.completed.id}`);
    const first = page.getByRole('button', { name: /^Low water, first light/ });
    await first.click();
    const box = page.getByRole('dialog');
    await box.getByText('Low water, first light').waitFor();
    assert.match(page.url(), /\?entry=[0-9a-f-]{36}$/);
    await page.waitForLoadState('networkidle');
    await assertAccessible();
    await page.keyboard.press('ArrowRight');
    await box.getByText('Harbour mouth').waitFor();
    await page.keyboard.press('ArrowLeft');
    await box.getByText('Low water, first light').waitFor();
    // After the last picture, the keys keep working.
    for (let step = 1; step < 6; step++) await box.getByRole('button', { name: 'Next picture' }).click();
    await box.getByText('Fathom').waitFor();
    await page.keyboard.press('ArrowLeft');
    await box.getByText('Spring tide').waitFor();
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    const focused = async () => String(await page.evaluate('document.activeElement.textContent'));
    assert.match(await focused(), /^Low water/);
    for (const close of [
      async () => await box.getByRole('button', { name: marketText.project.gallery.close }).click(),
      async () => await page.goBack(),
    ]) {
      await page.getByRole('button', { name: /^Harbour mouth/ }).click();
      await close();
      await box.waitFor({ state: 'detached' });
      assert.match(await focused(), /^Harbour mouth/);
    }
    assertQuiet();
    await context.close();
  });

  it('has the opened picture in the address: a link opens it, Back closes it, and a finger moves on', async () => {
    const path = `/projects/${market.completed.id}`;
    const { page, context, assertQuiet } = await open(path, 'phone');
    const box = page.getByRole('dialog');
    await page.getByRole('button', { name: /^Harbour mouth/ }).tap();
    await box.getByText('Harbour mouth').waitFor();
    const link = page.url();
    await swipe(page, 300, 60);
    await box.getByText('The keeper’s window').waitFor();
    assert.notEqual(page.url(), link);
    await swipe(page, 60, 300);
    await box.getByText('Harbour mouth').waitFor();
    await page.goBack();
    await box.waitFor({ state: 'detached' });
    assert.equal(page.url(), world.url + path);
    await page.goto(link);
    await box.getByText('Harbour mouth').waitFor();
    await box.getByRole('button', { name: marketText.project.gallery.close }).tap();
    await box.waitFor({ state: 'detached' });
    await page.goto(`${world.url}${path}?entry=01a1fd68-1a1d-7b89-b14d-8a21a36746c2`);
    await page.getByRole('alert').filter({ hasText: marketText.project.gallery.unknown }).waitFor();
    assertQuiet();
    await context.close();
  });

  it('a transfer links to the network’s explorer, and the page requests nothing there in advance', async () => {
    const { page, context, assertQuiet, assertAccessible } = await open('/');
    await page.route(/\/api\/v1\/network$/, async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = (await answer.json()) as { data: object };
      await route.fulfill({ json: { ...rest, data: { ...data, development: false } } });
    });
    await page.goto(`${world.url}/projects/${market.completed.id}`);
    const row = page.getByRole('row', { name: /^Prize 90\.25 USDC Settled/ });
    const link = row.getByRole('link', { name: /^View 0x/ });
    const hash = await row.getByRole('button', { name: /^Copy transaction hash/ }).getAttribute('title');
    assert.equal(await link.getAttribute('href'), `https://sepolia.basescan.org/tx/${hash}`);
    assert.match((await link.getAttribute('rel')) ?? '', /noreferrer/);
    await page.getByText('Every transfer is a public transaction on Base Sepolia.').waitFor();
    await assertAccessible();
    assertQuiet();
    await context.close();
  });

  it('shows a poster’s text as text: nothing in it runs, loads, or becomes a link', async () => {
    const poster = await registerPoster(world.url);
    const hostile = `<img src="https://example.org/x.png" onerror="document.title='owned'"><script>document.title='owned'</script>`;
    const { id } = await openProject(world, {
      poster,
      fields: {
        title: `Hostile ${hostile}`.slice(0, 200),
        description: `${hostile} [a](javascript:alert(1))`,
        requirements: hostile,
        style_references: ['https://example.org/a.png'],
        color_preferences: ['red;background:url(https://example.org/y.png)', 'url(https://example.org/z.png)'],
        tags: ['<b>bold</b>'],
      },
    });
    const { page, context, assertQuiet, assertAccessible } = await open(`/projects/${id}`);
    await page.getByText('[a](javascript:alert(1))').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('main script, main img[src*=example], main b, main a[href*=example]').count(), 0);
    assert.notEqual(await page.title(), 'owned');
    await assertAccessible();
    assertQuiet();
    await context.close();
  });

  it('fits a narrow phone: nothing is wider than the window', async () => {
    const paths = ['/', `/projects/${market.open[0]!.id}`, `/projects/${market.completed.id}`, '/leaderboard'];
    for (const path of [...paths, `/agents/${market.artists[0]!.id}`, '/nothing']) {
      const { page, context } = await open(path, 'phone', { viewport: { width: 320, height: 640 } });
      await page.waitForLoadState('networkidle');
      const [wide, window] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, innerWidth]',
      );
      assert.ok(wide <= window, `${path}: ${wide} in ${window}`);
      await context.close();
    }
  });
});
