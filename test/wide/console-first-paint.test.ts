import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareConsole, skip } from './support/console-world.ts';
import { ENTRIES, firstSight, scrollGallery, seedPages, watchedPages } from './support/console-first-paint.ts';

const ground = await prepareConsole({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const pages = ground ? await seedPages(ground) : null;

describe('the first sight of a public page', { skip }, () => {
  assert.ok(ground && pages);
  for (const name of watchedPages) {
    const { [name]: path } = pages;
    it(`${name}: nothing moves any more once it is there`, async (t) => {
      const { shift, what, lcpMs } = await firstSight(ground, path, 1);
      t.diagnostic(`${Math.round(lcpMs)} ms, shift ${shift.toFixed(3)} ${what}`);
      // Good, by the measure of Core Web Vitals.
      assert.ok(shift < 0.1, `${shift} with ${what}`);
    });
  }
});

describe(`a gallery of ${ENTRIES} entries`, { skip }, () => {
  assert.ok(ground && pages);
  const { large } = pages;
  it('scrolls to its last entry with few pictures in the page at once', async () => {
    const { frames, most, ended } = await scrollGallery(ground, large);
    assert.ok(frames.length > 60, `${frames.length} frames`);
    assert.ok(most < 120, `${most} pictures in the page`);
    assert.match(ended, /Winter 500/);
  });
});
