import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { until } from '../processes/processes.ts';
import { startWorld, type TestWorld, type WorldOptions } from '../worlds/service-world.ts';

// The world of every console test: the service with database, chain, and storage, and a browser that records failures.

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
/** Folder for screenshots. Without it, tests take none, because screenshots are slow. */
const PICTURES = process.env['CONSOLE_PICTURES'];
export const takesPictures = PICTURES !== undefined;

/** For `describe(…, { skip })`. Without a browser, tests are skipped, except in CI, where they fail. */
export const skip = existsSync(CHROMIUM) || process.env['CI'] ? false : `no ${CHROMIUM}`;

/** The viewports and color schemes of the tests. */
export const views = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;
export type View = keyof typeof views;

export type OpenPage = {
  page: Page;
  context: BrowserContext;
  /** Fails if the page logged an error, a request failed, or one left the origin. `allowed` failures are ignored. */
  assertQuiet(allowed?: RegExp): void;
  /** Fails with axe's violations and their elements. */
  assertAccessible(): Promise<void>;
  /** Waits for a dialog, and fails with the violations in it. The page behind it is partly covered. */
  assertDialogAccessible(): Promise<void>;
  /** Waits for animations, then saves `<name>.png`: the whole page, or the window if a dialog is open. */
  shoot(name: string, what?: 'page' | 'window'): Promise<void>;
};

export type ConsoleWorld = {
  world: TestWorld;
  browser: Browser;
  /** Opens a page in a browser context of its own. Contexts share only the service. */
  open(path: string, view?: View, options?: BrowserContextOptions): Promise<OpenPage>;
};

type Opens = (url: string, path: string, view?: View, options?: BrowserContextOptions) => Promise<OpenPage>;

/** Builds the console and starts a browser, which ends with the file. */
export async function startBrowser(): Promise<{ browser: Browser; open: Opens }> {
  buildConsole();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  after(() => browser.close());
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
  return {
    browser,
    async open(url, path, view = 'light', contextOptions = {}) {
      const context = await browser.newContext({ ...views[view], ...contextOptions });
      const page = await context.newPage();
      const opened = watched(page, context, url);
      await page.goto(url + path);
      await page.locator('main h1').waitFor();
      return opened;
    },
  };
}

/** Starts the world; call it at the top of a test file. Everything stops with the file. Null if tests are skipped. */
export async function startConsoleWorld(options: WorldOptions = {}): Promise<ConsoleWorld | null> {
  if (skip) return null;
  // Its hook is registered before the world's hook, so pages stop sending requests before the service stops.
  const { browser, open } = await startBrowser();
  const world = await startWorld({ console: true, ...options });
  return { world, browser, open: (...given) => open(world.url, ...given) };
}

/** Each page compiles it anew, which takes a third less time than for the readable source. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const AXE = `window.axe ?? (() => { ${AXE_SOURCE} })()`;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const violationsIn = (place: string) =>
  `axe.run(${place}, ${JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })}).then((found) => found.violations)`;

/** Waits for finite animations; endless ones are ignored. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
  .map((each) => each.finished.catch(() => {})))`;

/** Whether each dialog is there to the full. */
const OPAQUE = `[...document.querySelectorAll('dialog[open], [role="dialog"]')]
  .every((each) => getComputedStyle(each).opacity === '1')`;

/** Whether each list has its rows. A list that still shows the rows of other filters is pale. */
const LOADED = `document.querySelector('[aria-busy="true"]') === null`;

/** Builds the console, unless the build is current. */
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
    // Leaving a page aborts its requests.
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
      const unexpected = (message: string) => !allowed?.test(message);
      const found = { foreign, failed: failed.filter(unexpected), complaints: complaints.filter(unexpected) };
      assert.deepEqual(found, { foreign: [], failed: [], complaints: [] });
    },
    assertAccessible: async () => await assertAccessible(page, 'document'),
    async assertDialogAccessible() {
      await page.getByRole('dialog').waitFor();
      await assertAccessible(page, `document.querySelector('[role="dialog"]')`);
    },
    async shoot(name, what = 'page') {
      await page.evaluate(SETTLED);
      // In a scrolled page, the sticky header would be in the middle of the picture.
      await page.evaluate('scrollTo(0, 0)');
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: what === 'page' });
    },
  };
}

async function assertAccessible(page: Page, place: string): Promise<void> {
  // Runs axe in the page itself: axe's support for frames is slow, and the page has none.
  assert.equal(page.frames().length, 1);
  await until('the lists', async () => (await page.evaluate(LOADED)) === true);
  // A dialog that still appears has paler colors.
  await until('the dialogs', async () => (await page.evaluate(OPAQUE)) === true);
  await page.evaluate(SETTLED);
  await page.evaluate(AXE);
  const violations = await page.evaluate<AxeResults['violations']>(violationsIn(place));
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
  );
  assert.deepEqual(found, []);
}
