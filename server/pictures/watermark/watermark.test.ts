import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { draw } from '../../../test/support/test-pictures.ts';
import { createCopyRenderer } from '../public-copies-renderer.ts';

const renderer = createCopyRenderer();
after(() => renderer.close());
const MARK = '01a1fd79';

const copiesOf = (picture: Buffer, mark = MARK) =>
  renderer.render(picture, { contentType: 'image/png', sha256: hash('sha256', picture, 'buffer') }, mark);
const pixels = (picture: Buffer) => sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer();
const plain = (background: string) => sharp({ create: { width: 1600, height: 1100, channels: 3, background } });

/** Returns how many values of two pictures differ by at least 20 of 255 levels. */
async function visible(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = [await pixels(one), await pixels(other)];
  assert.equal(a.length, b.length);
  return a.filter((value, at) => Math.abs(value - b[at]!) >= 20).length;
}

describe('a watermark', () => {
  const pictures = {
    white: plain('#ffffff'),
    black: plain('#000000'),
    drawn: draw(3, 1500, 1400),
    narrow: draw(5, 200, 2048),
  };
  for (const [name, picture] of Object.entries(pictures))
    it(`is seen in both marked copies: ${name}`, async () => {
      const copies = await copiesOf(await picture.png().toBuffer());
      for (const size of ['image', 'thumbnail'] as const)
        assert.ok((await visible(copies[`plain-${size}`], copies[`marked-${size}`])) > 100, size);
    });

  it('depends on the entry, and every process draws the same', async () => {
    const picture = await plain('#808080').png().toBuffer();
    const [one, same, other] = [await copiesOf(picture), await copiesOf(picture), await copiesOf(picture, '89abcdef')];
    assert.ok(one['marked-image'].equals(same['marked-image']));
    assert.ok((await visible(one['marked-image'], other['marked-image'])) > 100);
    assert.ok(one['plain-image'].equals(other['plain-image']));
  });

  it('covers transparent parts, too', async () => {
    const create = { width: 600, height: 400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
    const copies = await copiesOf(await sharp({ create }).png().toBuffer());
    assert.ok((await sharp(copies['marked-image']).stats()).channels[3]!.max > 100);
    assert.equal((await sharp(copies['plain-image']).stats()).channels[3]!.max, 0);
  });
});
