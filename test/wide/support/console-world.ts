import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { startWorld, type TestWorld, type WorldOptions } from '../../support/worlds/service-world.ts';

// What every test of the console stands on: the service with database, chain and store, and a browser that notes whatever goes wrong.

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const ROOT = join(import.meta.dirname, '..', '..', '..');
/** A folder for screenshots, to be looked at. Without it none are taken: they take long. */
const PICTURES = process.env['CONSOLE_PICTURES'];

/** For `describe(…, { skip })`: where there is no browser, only an automatic run has to fail. */
export const skip = existsSync(CHROMIUM) || process.env['CI'] ? false : `no ${CHROMIUM}`;

/** How a page is looked at. */
export const views = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;
export type View = keyof typeof views;

export type OpenPage = {
  page: Page;
  context: BrowserContext;
  /** Fails when the page logged an error, a request failed, or one went to somebody else. `allowed` may have failed. */
  assertQuiet(allowed?: RegExp): void;
  /** Fails with what axe found, each with the element it is about. */
  assertAccessible(): Promise<void>;
  /** Waits until nothing moves any more; then `<name>.png`, the whole page, or what the window shows where a dialog is open. */
  shoot(name: string, what?: 'page' | 'window'): Promise<void>;
};

export type ConsoleGround = {
  world: TestWorld;
  browser: Browser;
  /** A browser of its own for each: nothing is shared but the service. */
  open(path: string, view?: View, options?: BrowserContextOptions): Promise<OpenPage>;
};

/** Called at the top of a test file; everything ends with it. Null where the tests are skipped. */
export async function prepareConsole(options: WorldOptions = {}): Promise<ConsoleGround | null> {
  if (skip) return null;
  buildConsole();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  // Before the world's own: hooks run in the order of their registration, and a page asks until it is closed.
  after(() => browser.close());
  const world = await startWorld({ console: true, ...options });
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
  return {
    world,
    browser,
    async open(path, view = 'light', contextOptions = {}) {
      const context = await browser.newContext({ ...views[view], ...contextOptions });
      const page = await context.newPage();
      const opened = watched(page, context, world.url);
      await page.goto(world.url + path);
      await page.locator('main h1').waitFor();
      return opened;
    },
  };
}

const AXE = `window.axe ?? (() => { ${axe.source} })()`;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const VIOLATIONS = `axe.run(${JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })}).then((found) => found.violations)`;

/** What moves has arrived; what turns for ever is left alone. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
  .map((each) => each.finished.catch(() => {})))`;

/** Made before it is served; nothing is done when it stands. */
function buildConsole(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build-console.mjs')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

function watched(page: Page, context: BrowserContext, url: string): OpenPage {
  const foreign: string[] = [];
  const failed: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (!['data:', 'blob:'].includes(target.protocol) && target.origin !== url) foreign.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left takes back what it asked for.
    if (!reason.includes('ERR_ABORTED')) failed.push(`${reason} ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(`${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return {
    page,
    context,
    assertQuiet(allowed) {
      const unexpected = (said: string) => !allowed?.test(said);
      const found = { foreign, failed: failed.filter(unexpected), complaints: complaints.filter(unexpected) };
      assert.deepEqual(found, { foreign: [], failed: [], complaints: [] });
    },
    async assertAccessible() {
      // In the page itself, which has no frames: axe's own way to look into frames takes much longer.
      assert.equal(page.frames().length, 1);
      await page.evaluate(AXE);
      const violations = await page.evaluate<AxeResults['violations']>(VIOLATIONS);
      const told = violations.flatMap(({ id, help, nodes }) =>
        nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
      );
      assert.deepEqual(told, []);
    },
    async shoot(name, what = 'page') {
      await page.evaluate(SETTLED);
      // The bar at the top stays where it is seen, which is in the middle of a page that was scrolled.
      await page.evaluate('scrollTo(0, 0)');
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: what === 'page' });
    },
  };
}
