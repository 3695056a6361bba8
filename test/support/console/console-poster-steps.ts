import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { poster as words } from '../../../console/messages/public.ts';
import type { Payer } from '../clients/client.ts';
import { type ConsoleWorld, type OpenPage, type View, views } from './console-world.ts';
import { injectWallet, WALLET_NAME } from './console-wallet.ts';

/** x402 answers 402 to request a payment, which the browser logs as a failed request. */
export const PAYING = /402/;

const everyView = Object.keys(views) as View[];

/** The widths of the content and of the window. */
const WIDTHS = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';

/** Steps of a poster in the browser. */
export function posterSteps({ world, open }: ConsoleWorld) {
  const { url } = world;
  const projectPath = /\/poster\/projects\/([0-9a-f-]{36})$/;

  /** Opens the sign-in page in a browser with a wallet. */
  async function visit(payer: Payer, view: View = 'light') {
    const opened = await open('/', view);
    const wallet = await injectWallet(opened.page, payer.account);
    await opened.page.goto(`${url}/poster`);
    return { ...opened, wallet };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByRole('heading', { level: 1, name: words.home.title }).waitFor();
  }

  /** Writes a draft and waits until it is saved. */
  async function write(page: Page, { title, prize, fee }: { title: string; prize: string; fee: string }) {
    await page.getByRole('link', { name: words.home.new }).first().click();
    await page.getByLabel(words.draft.title).fill(title);
    await page
      .getByLabel(words.draft.description)
      .fill('A lighthouse at dusk, calm water, one boat, and room for a title.');
    await page.getByLabel('Illustration', { exact: true }).check();
    await page.getByRole('textbox', { name: words.draft.prize }).fill(prize);
    await page.getByRole('textbox', { name: words.draft.fee }).fill(fee);
    await page.getByText(words.save.saved).waitFor();
  }

  async function enterKey(page: Page, key: string): Promise<void> {
    await page.getByLabel(words.signIn.label, { exact: true }).fill(key);
    await page.getByRole('button', { name: words.signIn.open }).click();
  }

  async function signInWithKey(page: Page, key: string): Promise<void> {
    await enterKey(page, key);
    await page.getByRole('heading', { level: 1, name: words.home.title }).waitFor();
  }

  const publishButton = (page: Page) => page.getByRole('button', { name: /^Pay [\d.,]+ USDC$/ });

  async function openedProject(page: Page): Promise<string> {
    await page.waitForURL(projectPath);
    return projectPath.exec(page.url())?.[1] ?? assert.fail(page.url());
  }

  /** Checks the page in every view: picture, accessibility, and no horizontal overflow. */
  async function look(page: Page, name: string, { shoot, assertAccessible }: OpenPage, what?: 'page' | 'window') {
    for (const view of everyView) {
      await page.setViewportSize(views[view].viewport);
      await page.emulateMedia({ colorScheme: views[view].colorScheme });
      await shoot(`poster-${name}-${view}`, what);
      await assertAccessible();
      const [wide, window] = await page.evaluate<[number, number]>(WIDTHS);
      assert.ok(wide <= window, `${name}, ${view}: ${wide} in ${window}`);
    }
    await page.setViewportSize(views.light.viewport);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  return { visit, signIn, signInWithKey, enterKey, write, publishButton, openedProject, look };
}
