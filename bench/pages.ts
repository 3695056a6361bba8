import { type Browser, chromium } from 'playwright-core';
import { settled } from '../test/support/console/console-signed-in.ts';
import { CHROMIUM, views } from '../test/support/console/console-world.ts';
import type { Tools } from './measure.ts';
import { type Row, rowOfTimes } from './report.ts';

const MOST_MS = 1_000;
const SLOW_DOWN = 4;
/** Notes the time of the last largest paint. */
const OBSERVE = `window.paintMs = 0;
  new PerformanceObserver((list) => { for (const each of list.getEntries()) paintMs = each.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });`;

/** Measures when visitors see a page, with a processor that is four times slower. */
export async function measurePages({ world, rounds }: Tools): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const pages = { market: '/', project: `/projects/${world.openProjects[0]}`, 'API reference': '/docs' };
  const rows: Row[] = [];
  for (const [what, path] of Object.entries(pages))
    rows.push(rowOfTimes(`${what}: largest paint`, await paintsOf(browser, world.service.url + path, rounds), MOST_MS));
  await browser.close();
  return rows;
}

async function paintsOf(browser: Browser, url: string, rounds: number): Promise<number[]> {
  const context = await browser.newContext(views.desktop);
  await context.addInitScript(OBSERVE);
  const paints: number[] = [];
  // The first visit fills the caches of the service.
  for (let round = 0; round <= rounds; round += 1) {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN });
    await page.goto(url);
    await page.locator('main h1').waitFor();
    await settled(page);
    if (round > 0) paints.push(await page.evaluate<number>('paintMs'));
    await page.close();
  }
  await context.close();
  return paints;
}
