import assert from 'node:assert/strict';
import sharp from 'sharp';
import { posterSteps } from './console-poster-steps.ts';
import type { ConsoleWorld } from './console-world.ts';
import { drawPictures, seedLargeGallery, seedMarket } from './console-seed.ts';

// The first paint of public pages, and scrolling in a large gallery. Tests check results that do not depend on the
// machine; bench/console.ts measures times.

export const ENTRIES = 1_000;
/** At 24 pixels per frame, the longest way takes 82 s. */
const SCROLL_TIMEOUT_MS = 240_000;

export const watchedPages = ['market', 'project', 'completed'] as const;
export type WatchedPage = (typeof watchedPages)[number];

/** The page of a large gallery: the public one, or that of the poster who judges it. */
export type LargeGallery = { path: string; posterKey: string | null };

type SeededPages = Record<WatchedPage, string> & {
  /** The poster's page of the large gallery, which is in judging. */
  judged: LargeGallery;
  /** Completes that project, and returns its public page. */
  completeLarge: () => Promise<LargeGallery>;
};

/** Seeds a market and a project with a large gallery. */
export async function seedPages(consoleWorld: ConsoleWorld): Promise<SeededPages> {
  const pictures = await drawPictures(8);
  const market = await seedMarket(consoleWorld.world, pictures);
  const { id, posterKey, complete } = await seedLargeGallery(consoleWorld.world, await thumbnailsOf(pictures), ENTRIES);
  return {
    market: '/',
    project: `/projects/${market.open[0]!.id}`,
    completed: `/projects/${market.completed.id}`,
    judged: { path: `/poster/projects/${id}`, posterKey },
    async completeLarge() {
      await complete();
      return { path: `/projects/${id}`, posterKey: null };
    },
  };
}

async function thumbnailsOf(drawn: Buffer[]): Promise<Buffer[]> {
  const hues = [0, 60, 120, 180, 240, 300];
  return await Promise.all(
    drawn.flatMap((picture) => hues.map((hue) => sharp(picture).resize(400).modulate({ hue }).webp().toBuffer())),
  );
}

const WATCH_PAINT = `
  window.paints = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.paints.push({ at: entry.startTime, what: entry.element?.outerHTML.slice(0, 120) });
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** The largest contentful paint of a page, and its cumulative layout shift. */
export type FirstPaint = { lcpMs: number; shift: number; what: string };

/** Measures on a phone viewport whose processor is slowed down by the factor `slowdown`. */
export async function firstPaint(consoleWorld: ConsoleWorld, path: string, slowdown: number): Promise<FirstPaint> {
  const context = await consoleWorld.browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH_PAINT);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(consoleWorld.world.url + path);
  await page.locator('main h2').first().waitFor();
  await page.waitForLoadState('networkidle');
  const paints = await page.evaluate<{ at: number; what: string }[]>('window.paints');
  const last = paints.at(-1) ?? assert.fail('nothing was painted');
  const shift = await page.evaluate<number>('window.shifts');
  await context.close();
  return { lcpMs: last.at, shift, what: last.what };
}

export type Scrolled = {
  /** Duration of each frame, in milliseconds. */
  frames: number[];
  /** Maximum number of pictures in the grid at a time. */
  most: number;
  /** The grid's text at its end. */
  ended: string;
};

/** Scrolls by `step` pixels per frame: 24 are about one screen per second. */
export async function scrollGallery(
  consoleWorld: ConsoleWorld,
  { path, posterKey }: LargeGallery,
  step: number,
): Promise<Scrolled> {
  const { page, context, assertQuiet } = await consoleWorld.open(posterKey === null ? path : '/poster');
  if (posterKey !== null) {
    await posterSteps(consoleWorld).signInWithKey(page, posterKey);
    await page.goto(consoleWorld.world.url + path);
  }
  const gallery = `section[aria-labelledby=${posterKey === null ? 'gallery' : 'entries'}]`;
  await page
    .locator(gallery)
    .getByText(`${ENTRIES.toLocaleString('en')} entries`)
    .first()
    .waitFor();
  await page.waitForLoadState('networkidle');
  const grid = `document.querySelector('${gallery} ul:has(img)')`;
  const scrolled = await page.evaluate<Scrolled>(`(${SCROLL})(${grid}, 'Winter ${ENTRIES}', ${step})`);
  assertQuiet();
  await context.close();
  return scrolled;
}

/** Scrolls from the first row to the last, `step` pixels per frame, then waits up to 10 s for the last picture. */
const SCROLL = `async (grid, last, step) => {
  const end = () => grid.getBoundingClientRect().bottom + scrollY - innerHeight;
  const frames = [];
  let most = 0;
  let before = performance.now();
  await new Promise((resolve, reject) => {
    const where = () => scrollY + ' of ' + end() + ' after ' + frames.length + ' frames';
    setTimeout(() => reject(new Error('the end was not reached: ' + where())), ${SCROLL_TIMEOUT_MS});
    const frame = (now) => {
      frames.push(now - before);
      before = now;
      most = Math.max(most, grid.querySelectorAll('img').length);
      if (scrollY >= end() - 1) return resolve();
      scrollTo(0, Math.min(end(), scrollY + step));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      before = now;
      requestAnimationFrame(frame);
    });
  });
  for (let tries = 0; tries < 200 && !grid.textContent.includes(last); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    scrollTo(0, end());
  }
  return { frames, most, ended: grid.textContent };
}`;
