import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

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

const skip = existsSync(CHROMIUM) || process.env['CI'] ? false : `no ${CHROMIUM}`;
const world = skip ? null : await startWorld();

describe('the rendered reference in a browser', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  });
  after(() => browser.close());

  it('shows every operation, sends no request to another origin, and logs no error', async () => {
    assert.ok(world);
    const { url } = world;
    const page = await browser.newPage();
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      const target = new URL(request.url());
      if (target.protocol !== 'data:' && target.origin !== url) foreign.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/docs`);
    const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, object>;
      webhooks: Record<string, object>;
    };
    const shown = [...Object.values(document.paths), ...Object.values(document.webhooks)];
    const expected = shown.reduce((count, path) => count + Object.keys(path).length, 0);
    await page.locator('.opblock').first().waitFor();
    // The page draws only what is near the part that a reader sees.
    const seen = new Set<string>();
    await until('every operation', async () => {
      const ids = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
      for (const id of ids) seen.add(id);
      await page.mouse.wheel(0, 400);
      return seen.size >= expected;
    });
    assert.equal(seen.size, expected);
    await page.mouse.wheel(0, -100_000);
    await page.locator('#operations-Agents-createAgent').click();
    await page.locator('#operations-Agents-createAgent .opblock-body').waitFor();
    assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
  });
});
