import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';
import {
  ENTRIES,
  firstPaint,
  type LargeGallery,
  scrollGallery,
  seedPages,
  watchedPages,
} from '../support/console/console-first-paint.ts';

const consoleWorld = await startConsoleWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const pages = consoleWorld ? await seedPages(consoleWorld) : null;

describe('the first paint of a public page', { skip }, () => {
  assert.ok(consoleWorld && pages);
  for (const name of watchedPages) {
    const { [name]: path } = pages;
    it(`${name}: the layout does not shift`, async (t) => {
      const { shift, what, lcpMs } = await firstPaint(consoleWorld, path, 1);
      t.diagnostic(`${Math.round(lcpMs)} ms, shift ${shift.toFixed(3)} ${what}`);
      // "Good" by Core Web Vitals.
      assert.ok(shift < 0.1, `${shift} with ${what}`);
    });
  }
});

/** Four screens per second, because the test does not measure frames, as `npm run bench:console` does. */
const PIXELS_PER_FRAME = 96;

describe(`${ENTRIES} entries`, { skip }, () => {
  assert.ok(consoleWorld && pages);
  const scrolls = async (gallery: LargeGallery) => {
    const { frames, most, ended } = await scrollGallery(consoleWorld, gallery, PIXELS_PER_FRAME);
    assert.ok(frames.length > 60, `${frames.length} frames`);
    assert.ok(most < 120, `${most} pictures in the page`);
    assert.match(ended, new RegExp(`Winter ${ENTRIES}`));
  };
  it('are judged in a grid that scrolls to the last one and renders few pictures at a time', async () => {
    await scrolls(pages.judged);
  });
  it('are shown in a gallery that scrolls to the last one and renders few pictures at a time', async () => {
    await scrolls(await pages.completeLarge());
  });
});
