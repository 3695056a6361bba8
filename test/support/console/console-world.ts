import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { until } from '../processes/processes.ts';

// The world of every console test: a service, and a browser that records failures.

export const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
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

/** For `describe(…, { skip })`. Without a browser, tests are skipped, except in CI, where they fail. */
export const skip = existsSync(CHROMIUM) || process.env['CI'] ? false : `no ${CHROMIUM}`;

/** The two windows of the tests. */
export const views = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;

export type OpenPage = {
  page: Page;
  context: BrowserContext;
  /** Fails if the page logged an error, a request failed, or one left the origin. `allowed` failures are ignored. */
  assertQuiet(allowed?: RegExp): void;
  /** Fails with axe's violations and their elements. */
  assertAccessible(): Promise<void>;
};

/**
 * Builds the console, and starts a browser and the service. Call it at the top of a test file; everything stops with the
 * file. Null if tests are skipped.
 */
export async function startConsole<World extends { url: string }>(start: () => Promise<World>) {
  if (skip) return null;
  buildConsole();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  // Its hook is registered before the hook of the service, so pages stop sending requests before the service stops.
  after(() => browser.close());
  const world = await start();
  return {
    world,
    /** Opens a page in a browser context of its own. Contexts share only the service. */
    async open(path: string, view: keyof typeof views = 'desktop'): Promise<OpenPage> {
      const context = await browser.newContext({ ...views[view], colorScheme: 'light', reducedMotion: 'reduce' });
      const page = await context.newPage();
      const opened = watched(page, context, world.url);
      await page.goto(world.url + path);
      await page.locator('main h1').waitFor();
      return opened;
    },
  };
}

/** Each page compiles it anew, which takes a third less time than for the readable source. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const AXE = `window.axe ?? (() => { ${AXE_SOURCE} })()`;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const VIOLATIONS = `axe.run(document, ${JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })})
  .then((found) => found.violations)`;

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
    assertAccessible: async () => await assertAccessible(page),
  };
}

async function assertAccessible(page: Page): Promise<void> {
  // Runs axe in the page itself: axe's support for frames is slow, and the page has none.
  assert.equal(page.frames().length, 1);
  await until('the lists', async () => (await page.evaluate(LOADED)) === true);
  // A dialog that still appears has paler colors.
  await until('the dialogs', async () => (await page.evaluate(OPAQUE)) === true);
  await page.evaluate(SETTLED);
  await page.evaluate(AXE);
  const violations = await page.evaluate<AxeResults['violations']>(VIOLATIONS);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
  );
  assert.deepEqual(found, []);
}
