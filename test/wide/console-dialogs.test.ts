import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { posterBrief } from '../../console/messages/public.ts';
import { until } from '../support/processes/processes.ts';
import { MAXIMA_ENV, seedMaxima } from '../support/console/console-maxima.ts';
import { agentPages, misfitsOf, posterPages, signIn, type Visit } from '../support/console/console-pages.ts';
import { drawPictures } from '../support/console/console-seed.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { type OpenPage, skip, startConsoleWorld } from '../support/console/console-world.ts';

// Every dialog that a button opens, on the pages of posters and of owners of agents: accessible in both color
// schemes, and with room for the longest texts. No request that changes anything leaves the browser.

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({ env: MAXIMA_ENV });
const maxima = consoleWorld ? await seedMaxima(consoleWorld, pictures) : null;

const SIZES = [
  { width: 320, height: 640 },
  { width: 1440, height: 900 },
];
const SCHEMES = ['light', 'dark'] as const;
/** A walk opens a page again after each click. */
const SLOWEST_MS = 600_000;
/**
 * Returns the first visible button of a kind that is not in `tried`, marked with `data-walked`, or null. Buttons that
 * say the same in other rows are of one kind, and so are those that copy a hash. Pictures, which other tests open, are
 * left out.
 */
const NEXT_BUTTON = (tried: string[]) => `(() => {
  for (const button of document.querySelectorAll('main button')) {
    const isSeen = button.checkVisibility({ visibilityProperty: true }) && button.getBoundingClientRect().height > 0;
    if (!isSeen || button.disabled || button.querySelector('img')) continue;
    const path = [];
    for (let each = button; each.localName !== 'main'; each = each.parentElement) path.push(each.localName);
    const kind = path.join(' ') + ': ' + button.textContent.trim().replace(/[0-9a-f]{6,8}…[0-9a-f]{4}/, 'hash');
    if (${JSON.stringify(tried)}.includes(kind)) continue;
    for (const other of document.querySelectorAll('[data-walked]')) delete other.dataset.walked;
    button.dataset.walked = '';
    return kind;
  }
  return null;
})()`;

/** On a busy machine, the page may still do what the click asked for. Some pages that draw nothing are never called idle. */
const IDLE = 'new Promise((done) => requestIdleCallback(() => done(), { timeout: 1_000 }))';

const isShownIn = (scheme: string) => `document.documentElement.dataset.mantineColorScheme === '${scheme}'`;

describe('the dialogs', { skip }, () => {
  assert.ok(consoleWorld && maxima);
  const { url } = consoleWorld.world;
  const next = async (page: Page, tried: string[]) => await page.evaluate<string | null>(NEXT_BUTTON(tried));
  const dialogOf = (page: Page) =>
    page.locator('dialog[open], [role="dialog"], [role="alertdialog"]').filter({ visible: true });

  async function show(page: Page, path: string): Promise<void> {
    await page.goto(url + path);
    await page.locator('main h1').waitFor();
    await settled(page);
  }

  /** Returns false if the button cannot be clicked: the page moves or hides it. */
  async function clicks(button: Locator): Promise<boolean> {
    return await button.click({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  }

  /** Returns the title of the dialog that the last click opened, or null. */
  async function openedTitle(page: Page): Promise<string | null> {
    await page.evaluate(IDLE);
    const dialog = dialogOf(page);
    const isOpen = await dialog
      .first()
      .waitFor({ timeout: 700 })
      .then(
        () => true,
        () => false,
      );
    if (!isOpen) return null;
    return (await dialog.first().getAttribute('aria-label')) ?? (await dialog.locator('h2').first().textContent());
  }

  async function inspect(opened: OpenPage, name: string): Promise<string[]> {
    const { page } = opened;
    const misfits: string[] = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await settled(page);
      misfits.push(...(await misfitsOf(page)).map((each) => `${name} at ${size.width}: ${each}`));
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await until(colorScheme, async () => await page.evaluate<boolean>(isShownIn(colorScheme)));
        // It waits for the colors, which change slowly.
        await opened.shoot(`dialog-${name}-${size.width}-${colorScheme}`, 'window');
        await opened.assertAccessible();
      }
    }
    return misfits;
  }

  /** Clicks each kind of button of each page once, and inspects each dialog of the page. Returns their titles. */
  async function goThrough(opened: OpenPage, pages: Visit[]): Promise<string[]> {
    const { page } = opened;
    await page.route('**/api/**', async (route) =>
      ['GET', 'HEAD'].includes(route.request().method()) ? await route.continue() : await route.abort(),
    );
    const titles: string[] = [];
    const misfits: string[] = [];
    for (const { name, path } of pages) {
      await show(page, path);
      const tried: string[] = [];
      const missed: string[] = [];
      const inspected: string[] = [];
      // Looks again after each click, because buttons come and go while a page loads: the templates of a draft close.
      for (let kind = await next(page, tried); kind !== null; kind = await next(page, tried)) {
        if (!(await clicks(page.locator('[data-walked]')))) {
          // A button that is missed twice is one that its page hides.
          (missed.includes(kind) ? tried : missed).push(kind);
          continue;
        }
        tried.push(kind);
        const title = await openedTitle(page);
        // Each template of a page opens the same dialog.
        if (title !== null && !inspected.includes(title)) {
          inspected.push(title);
          titles.push(title);
          misfits.push(...(await inspect(opened, `${name}-${titles.length}`)));
        }
        await page.setViewportSize({ width: 1280, height: 900 });
        await show(page, path);
        assert.equal(await page.locator('main input[type="password"]').count(), 0, `signed in after ${kind}`);
      }
    }
    assert.deepEqual(misfits, []);
    await opened.context.close();
    return [...new Set(titles)].toSorted();
  }

  it('of a template for a draft with texts, whose templates are closed at first', async () => {
    const opened = await consoleWorld.open('/poster');
    const { page } = opened;
    await signIn(opened, maxima.poster.key, '/poster/notifications');
    await show(page, `/poster/draft?id=${maxima.draft}`);
    const templates = page.locator('main details').filter({ hasText: posterBrief.templates.title });
    await templates.locator('summary').first().click();
    await templates.getByRole('button').first().click();
    assert.equal(await openedTitle(page), posterBrief.templates.replaceTitle);
    assert.deepEqual(await inspect(opened, 'draft-replace'), []);
    await opened.context.close();
  });

  it('of a poster', { timeout: SLOWEST_MS }, async () => {
    const opened = await consoleWorld.open('/poster');
    await signIn(opened, maxima.poster.key, '/poster/notifications');
    const titles = await goThrough(opened, posterPages(maxima));
    // The walk finds this one only if the templates of a draft are not closed yet. A test above opens it.
    const others = titles.filter((title) => title !== 'Replace your texts?');
    assert.deepEqual(others, [
      'Announce the end of entries?',
      'Create a key',
      'Delete this draft?',
      'Keys',
      'Revoke this key?',
    ]);
  });

  it('of an agent’s owner', { timeout: SLOWEST_MS }, async () => {
    const opened = await consoleWorld.open('/agent');
    await signIn(opened, maxima.agent.key, '/agent/keys');
    assert.deepEqual(await goThrough(opened, agentPages), [
      'Create a key',
      'Issue a new key?',
      'Original files',
      'Revoke this key?',
      'Sign out everywhere?',
    ]);
  });
});
