import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { entering, messages } from '../../console/messages/public.ts';
import { until } from '../support/processes/processes.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';
import { drawPictures, seedMarket } from '../support/console/console-seed.ts';

// The console in each of its languages: texts, formats, and whether each element holds its content.

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const market = consoleWorld ? await seedMarket(consoleWorld.world, pictures) : null;

const WIDTHS = [390, 1440];
/** The browser's variant of each language, the heading of the market, and the decimal mark of its amounts. */
const languages = {
  en: { variant: 'en-GB', heading: 'AI agents compete on your brief', decimal: '.' },
  de: { variant: 'de-DE', heading: 'KI-Agenten treten für Ihren Auftrag an', decimal: ',' },
  es: { variant: 'es-ES', heading: 'Agentes de IA compiten por su encargo', decimal: ',' },
  fr: { variant: 'fr-FR', heading: 'Des agents IA concourent sur votre brief', decimal: ',' },
  zh: { variant: 'zh-CN', heading: 'AI 智能体为您的需求竞赛', decimal: '.' },
} as const;

/** Elements whose text is wider than their box. Boxes that scroll, or that shorten names on purpose, hold it. */
const OVERFLOWING = `[...document.querySelectorAll('body *')].filter((each) => {
  const style = getComputedStyle(each);
  if (each.clientWidth === 0 || style.display === 'inline' || style.textOverflow === 'ellipsis') return false;
  if (['auto', 'scroll', 'hidden', 'clip'].includes(style.overflowX) || each.closest('.only-read')) return false;
  return each.scrollWidth > each.clientWidth + 1 && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
}).map((each) => each.outerHTML.slice(0, 200))`;

/** The name of the service gives way to a longer navigation, so it shows whether the header has room. */
const BRAND = `(() => { const name = document.querySelector('header a span'); return name.scrollWidth <= name.clientWidth + 1; })()`;

const { signIn } = areaOf({ label: 'Operator key', name: 'Operator' });
const langOf = async (page: Page) => await page.evaluate<string>('document.documentElement.lang');

describe('the languages of the console', { skip }, () => {
  assert.ok(consoleWorld && market);
  const paths = {
    market: '/',
    project: `/projects/${market.completed.id}`,
    start: '/agents/start',
    leaderboard: '/leaderboard',
    poster: '/poster',
  };

  for (const [language, { variant, heading, decimal }] of Object.entries(languages)) {
    it(`${variant}: the browser’s language on each page, whole texts, axe 0`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/', 'light', {
        locale: variant,
      });
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(consoleWorld.world.url + path, { waitUntil: 'networkidle' });
        assert.equal(await langOf(page), language, name);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await page.evaluate<string[]>(OVERFLOWING), [], `${name} at ${width}`);
          assert.ok(
            await page.evaluate<boolean>(`document.documentElement.scrollWidth <= ${width}`),
            `${name} ${width}`,
          );
          assert.ok(await page.evaluate<boolean>(BRAND), `the whole name of the service at ${width}`);
          await shoot(`${language}-${name}-${width}`);
        }
        await assertAccessible();
      }
      await page.goto(consoleWorld.world.url + paths.project, { waitUntil: 'networkidle' });
      const amounts = await page.locator('#main').innerText();
      assert.match(amounts, new RegExp(`\\d[${decimal}]\\d{2}\\b`), 'amounts as the locale writes them');
      assertQuiet(/401/);
      await context.close();
    });
  }

  it('an error of the service has its meaning before the service’s own words', async () => {
    const { operatorKey } = consoleWorld.world;
    const unknown = '/operator/projects/01a209cf-8333-74fb-b215-5b8df150e5f7';
    const { page, context, shoot } = await consoleWorld.open(unknown, 'light', { locale: 'de-DE' });
    await page.getByLabel('Betreiberschlüssel').fill(operatorKey);
    await page.keyboard.press('Enter');
    const alert = page.locator('#main').getByRole('alert');
    await alert.getByText(/^Diesen Auftrag gibt es nicht\. Der Dienst sagt dazu: „.+“$/).waitFor();
    await shoot('error-de-light');
    await context.close();
    const english = await consoleWorld.open(unknown, 'light', { locale: 'en-GB' });
    await english.page.getByLabel('Operator key').fill(operatorKey);
    await english.page.keyboard.press('Enter');
    await english.page.locator('#main').getByRole('alert').waitFor();
    assert.doesNotMatch(await english.page.locator('#main').innerText(), /The service says/);
    await english.context.close();
  });

  it('the switch changes the language, and the browser and the service remember it', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/', 'phone', { locale: 'de-DE' });
    await page.getByRole('heading', { level: 1, name: languages.de.heading }).waitFor();
    await page.getByLabel('Sprache').selectOption('fr');
    await page.getByRole('heading', { level: 1, name: languages.fr.heading }).waitFor();
    assert.equal(await langOf(page), 'fr');
    const other = await context.newPage();
    await other.goto(`${consoleWorld.world.url}/leaderboard`);
    await other.getByRole('heading', { level: 1, name: 'Classement' }).waitFor();
    const answer = await context.request.get(`${consoleWorld.world.url}/leaderboard`, {
      headers: { accept: 'text/html' },
    });
    const html = await answer.text();
    assert.match(html, /<html lang="fr"/);
    assert.match(html, /<title>Classement · /);
    assertQuiet();
    await context.close();
  });

  it('asks before a change that would lose typed text or a key that is shown once', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/agents/start');
    const { title, lost, change } = messages.languageChange;
    const choice = page.getByRole('combobox', { name: 'Language' });
    const question = page.getByRole('dialog', { name: title });
    await page.getByLabel(entering.register.name, { exact: true }).fill('Left and right');
    await choice.selectOption('de');
    await question.getByText(lost.text).waitFor();
    await assertAccessible();
    await question.getByRole('button', { name: messages.confirm.cancel }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await choice.inputValue(), 'en');
    assert.equal(await page.getByLabel(entering.register.name, { exact: true }).inputValue(), 'Left and right');
    await page.getByLabel(entering.register.about, { exact: true }).fill('Draws on both sides of the paper.');
    await page.getByRole('button', { name: entering.register.button }).click();
    await page.getByRole('group', { name: entering.register.done }).waitFor();
    await choice.selectOption('de');
    await question.getByText(lost.secret).waitFor();
    await shoot('language-change-light', 'window');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('group', { name: entering.register.done }).waitFor();
    // The browser hides the dialog before it tells the page, which would close the next one.
    await until('the language before', async () => (await choice.inputValue()) === 'en');
    await choice.selectOption('de');
    await question.getByRole('button', { name: change }).click();
    await page.getByLabel('Sprache').waitFor();
    // Text in a filter is in the address.
    await page.goto(consoleWorld.world.url);
    await page.getByRole('searchbox').fill('lighthouse');
    await page.waitForURL(/q=lighthouse/);
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByLabel('Language').waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'lighthouse');
    assertQuiet();
    await context.close();
  });

  it('the operator stays signed in when the language changes, and nothing keeps the key', async () => {
    const { operatorKey } = consoleWorld.world;
    const { page, context, assertQuiet } = await consoleWorld.open('/operator/agents');
    await signIn(page, operatorKey, 'Agents');
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Agenten', level: 1 }).waitFor();
    await settled(page);
    const kept = JSON.stringify([await context.storageState(), await page.evaluate('({ ...sessionStorage })')]);
    assert.ok(!kept.includes(operatorKey), kept);
    assertQuiet();
    await context.close();
  });
});
