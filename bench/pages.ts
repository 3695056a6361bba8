import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startServerOn } from '../demo/server-process.ts';
import { enter } from '../test/support/clients/contestants.ts';
import { type OpenProject, openProject } from '../test/support/clients/journey.ts';
import { settled } from '../test/support/console/console-signed-in.ts';
import { CHROMIUM, views } from '../test/support/console/console-world.ts';
import { draw } from '../test/support/test-pictures.ts';
import { median, type Tools } from './measure.ts';
import { type Row, rowOfTimes } from './report.ts';

const ENTRIES = 50;
const SLOW_DOWN = 4;
/** Adds up the layout shifts, and notes the time of the last largest paint. */
const OBSERVE = `window.seen = { paintMs: 0, shift: 0 };
  new PerformanceObserver((list) => { for (const each of list.getEntries()) seen.paintMs = each.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) seen.shift += each.value; })
    .observe({ type: 'layout-shift', buffered: true });`;

/** Opens the first operation that is closed, and resolves with the milliseconds until it is painted. */
const OPEN_NEXT = `new Promise((resolve) => {
  const began = performance.now();
  document.querySelector('main details:not([open]) summary').click();
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
})`;

type Seen = { paintMs: number; shift: number };
type Visit = { what: string; path: string; mostMs: number; key?: string };

/**
 * Measures what visitors and posters wait for on a service of its own, with a processor that is four times slower, and the API
 * reference without.
 */
export async function measurePages({ rounds }: Tools): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-pages-'));
  const service = await startServerOn(folder, process.env, new AbortController().signal);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const project = await withEntries(service.url);
    const { key } = project.poster;
    const visits: Visit[] = [
      { what: 'market', path: '/', mostMs: 1_000 },
      { what: 'project', path: `/projects/${project.id}`, mostMs: 1_000 },
      { what: `gallery of ${ENTRIES}`, path: `/poster/projects/${project.id}`, mostMs: 1_500, key },
    ];
    const rows: Row[] = [];
    for (const visit of visits) rows.push(...rowsOf(visit, await seenAt(browser, service.url, visit, rounds)));
    return [...rows, ...(await measureReference(browser, service.url, rounds))];
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function withEntries(url: string): Promise<OpenProject> {
  const project = await openProject({ url }, { entryFeeUsdc: 0 });
  for (let seed = 0; seed < ENTRIES; seed += 1) {
    const picture = Buffer.from(await draw(seed, 1024, 768).png().toBuffer());
    await enter({ url }, project, { picture, wallet: 'none' });
  }
  return project;
}

async function seenAt(browser: Browser, url: string, { path, key }: Visit, rounds: number): Promise<Seen[]> {
  const context = await browser.newContext(views.desktop);
  if (key) await signIn(await context.newPage(), url, key);
  await context.addInitScript(OBSERVE);
  const seen: Seen[] = [];
  // The first visit fills the caches of the service.
  for (let round = 0; round <= rounds; round += 1) {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN });
    await page.goto(url + path);
    await page.locator('main h1').waitFor();
    await settled(page);
    if (round > 0) seen.push(await page.evaluate<Seen>('seen'));
    await page.close();
  }
  await context.close();
  return seen;
}

async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/poster`);
  const field = page.locator('main input[type="password"]');
  await field.fill(key);
  await field.press('Enter');
  await field.waitFor({ state: 'detached' });
  await page.close();
}

function rowsOf({ what, mostMs }: Visit, seen: Seen[]): Row[] {
  const shifts = seen.map(({ shift }) => shift);
  const paints = seen.map(({ paintMs }) => paintMs);
  const shift = { aim: { atMost: 0.1 }, ratios: shifts, absolute: median(shifts).toFixed(3) };
  return [rowOfTimes(`${what}: largest paint`, paints, mostMs), { what: `${what}: layout shift`, ...shift }];
}

async function measureReference(browser: Browser, url: string, rounds: number): Promise<Row[]> {
  const [first, next]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage();
    const began = performance.now();
    await page.goto(`${url}/docs`, { waitUntil: 'commit' });
    await page.locator('main details summary').first().waitFor();
    first.push(performance.now() - began);
    next.push(await page.evaluate<number>(OPEN_NEXT));
    await page.close();
  }
  return [
    rowOfTimes('API reference: first operation', first, 1_000),
    rowOfTimes('API reference: the next one', next, 200),
  ];
}
