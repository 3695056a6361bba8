import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { draw } from '../../../test/support/test-pictures.ts';
import type { Copies } from '../../ports/pictures.ts';
import { createCopyRenderer } from '../public-copies-renderer.ts';
import { drawWatermark } from './watermark.ts';
import { layoutOf } from './watermark-layout.ts';

const renderer = createCopyRenderer();
after(() => renderer.close());
const MARK = '01a1fd79';
const TILE = 64;

async function copiesOf(picture: Buffer, mark = MARK): Promise<Copies> {
  const sha256 = createHash('sha256').update(picture).digest();
  return await renderer.render(picture, { contentType: 'image/png', sha256 }, mark);
}

type Raw = { data: Buffer; width: number; height: number };

async function raw(picture: Buffer, size?: { width: number; height: number }): Promise<Raw> {
  const opened = sharp(picture).removeAlpha().toColourspace('srgb');
  const sized = size ? opened.resize({ ...size, fit: 'fill', kernel: 'lanczos3' }) : opened;
  const { data, info } = await sized.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Returns the mean difference of two pictures in an area, in levels of 0 to 255. */
function difference(
  a: Raw,
  b: Raw,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
) {
  let sum = 0;
  for (let y = top; y < top + height; y++)
    for (let at = (y * a.width + left) * 3; at < (y * a.width + left + width) * 3; at++)
      sum += Math.abs(a.data[at]! - b.data[at]!);
  return sum / (width * height * 3);
}

/** Returns the weighted sum of pictures that is closest to the original, which only its holder can find. */
function bestSum({ data: original }: Raw, seen: Raw[]): Buffer {
  const size = seen.length + 1;
  const values = (at: number) => [...seen.map(({ data }) => data[at]!), 1];
  // Least squares: the normal equations, with the right side in the last column.
  const rows = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0));
  for (let at = 0; at < original.length; at += 7) {
    const row = [...values(at), original[at]!];
    for (let i = 0; i < size; i += 1) for (let j = 0; j <= size; j += 1) rows[i]![j]! += row[i]! * row[j]!;
  }
  for (let i = 0; i < size; i += 1)
    for (const [k, row] of rows.entries()) {
      const factor = k === i ? 0 : row[i]! / rows[i]![i]!;
      for (let j = i; j <= size; j += 1) row[j]! -= factor * rows[i]![j]!;
    }
  const weights = rows.map((row, i) => row[size]! / row[i]!);
  return Buffer.from(
    original.map((_, at) => {
      let sum = weights[seen.length]!;
      for (let i = 0; i < seen.length; i += 1) sum += seen[i]!.data[at]! * weights[i]!;
      return Math.min(255, Math.max(0, Math.round(sum)));
    }),
  );
}

const plainColors = (background: string) =>
  sharp({ create: { width: 1600, height: 1100, channels: 3, background } })
    .png()
    .toBuffer();
const pictures: Record<string, () => Promise<Buffer>> = {
  white: () => plainColors('#ffffff'),
  black: () => plainColors('#000000'),
  gray: () => plainColors('#808080'),
  drawn: () => draw(3, 1500, 1400).png().toBuffer(),
  'drawn upright': () => draw(4, 700, 1600).png().toBuffer(),
  narrow: () => draw(5, 200, 2048).png().toBuffer(),
};

type Crop = readonly [width: number, height: number];

function quarters(width: number, height: number): [halves: Crop, column: Crop, row: Crop] {
  const part = (side: number, of: number) => Math.floor(side / of);
  return [
    [part(width, 2), part(height, 2)],
    [part(width, 4), height],
    [width, part(height, 4)],
  ];
}

/** Returns at how many places a crop of this size shows no whole mark. */
function withoutMark(width: number, height: number, [across, down]: Crop): number {
  const { places, markWidth, markHeight } = layoutOf(width, height, MARK.length);
  const [columns, rows] = [width - across + 1, height - down + 1];
  const has = new Uint8Array(columns * rows);
  for (const { left, top } of places)
    for (let y = Math.max(0, top + markHeight - down); y <= Math.min(top, rows - 1); y += 1)
      for (let x = Math.max(0, left + markWidth - across); x <= Math.min(left, columns - 1); x += 1)
        has[y * columns + x] = 1;
  return has.filter((mark) => mark === 0).length;
}

describe('a watermark', () => {
  for (const [name, picture] of Object.entries(pictures))
    it(`changes every part of a preview and of a thumbnail visibly: ${name}`, async () => {
      const copies = await copiesOf(await picture());
      for (const size of ['image', 'thumbnail'] as const) {
        const [plain, marked] = [await raw(copies[`plain-${size}`]), await raw(copies[`marked-${size}`])];
        assert.deepEqual([marked.width, marked.height], [plain.width, plain.height]);
        let least = Infinity;
        for (let top = 0; top + TILE <= plain.height; top += TILE)
          for (let left = 0; left + TILE <= plain.width; left += TILE)
            least = Math.min(least, difference(plain, marked, { left, top, width: TILE, height: TILE }));
        assert.ok(least >= 6, `${size}: one tile differs by only ${least}`);
      }
    });

  // The shortest side of an accepted picture has 100 px, and 50 px in the preview of one that is 2,048 px long.
  const previews = [
    [1024, 1024], [1024, 683], [683, 1024], [1024, 400], [1024, 230], [320, 240], [240, 180],
    [160, 100], [100, 144], [160, 143], [159, 144], [1023, 100], [100, 1023],
    [1024, 100], [100, 1024], [1024, 51], [51, 1024], [1024, 50], [50, 1024],
  ] as const; // prettier-ignore

  it('shows a whole mark in any quarter: half of each side, a column, or a row', () => {
    for (const [width, height] of previews)
      for (const crop of quarters(width, height))
        assert.equal(withoutMark(width, height, crop), 0, `${width} × ${height}: ${String(crop)}`);
  });

  it('shows a whole mark in half of each side and in a column of the smallest pictures, but not in each row', () => {
    for (const [width, height] of [
      [100, 100],
      [101, 143],
      [159, 100],
      [159, 143],
    ] as const) {
      const [halves, column, row] = quarters(width, height);
      assert.equal(withoutMark(width, height, halves), 0, `${width} × ${height}, halves`);
      assert.equal(withoutMark(width, height, column), 0, `${width} × ${height}, a column`);
      // Digits of less than 5 px would not be readable.
      assert.ok(withoutMark(width, height, row) > 0, `${width} × ${height}, a row`);
    }
  });

  it('has digits that are readable in the thumbnail, unless the preview is narrow', () => {
    const readable = ([width, height]: readonly [number, number]) =>
      layoutOf(width, height, MARK.length).step * Math.min(1, 400 / Math.max(width, height)) >= 5;
    const narrow = previews.filter((size) => !readable(size));
    assert.deepEqual(narrow, [[100, 1023], [100, 1024], [1024, 51], [51, 1024], [1024, 50], [50, 1024]]); // prettier-ignore
    assert.ok(narrow.every(([width, height]) => layoutOf(width, height, MARK.length).step >= 8));
  });

  const sizes: Record<string, [width: number, height: number, lines: number]> = {
    'in one line': [660, 440, 1],
    'in several lines, one digit in each, in a narrow picture': [50, 1024, 8],
    'in lines of two digits': [150, 900, 4],
  };
  for (const [name, [width, height, lines]] of Object.entries(sizes))
    it(`shows the digits of its entry ${name}`, () => digitsAreShown(width, height, lines));

  function digitsAreShown(width: number, height: number, lines: number): void {
    const seed = randomBytes(32);
    const drawn = (mark: string) => {
      const data = Buffer.alloc(width * height * 3, 90);
      drawWatermark({ data, width, height, channels: 3 }, mark, seed);
      return data;
    };
    const { places, step, lead, columns, markWidth, markHeight, glyphWidth, glyphHeight } = layoutOf(width, height, 8);
    assert.equal(8 / columns, lines);
    const whole = places.filter(
      ({ left, top }) => left >= 0 && top >= 0 && left + markWidth < width && top + markHeight < height,
    );
    assert.ok(whole.length >= 12, `${whole.length} marks`);
    // The brightness in the middle of each of the seven segments.
    const segments = [
      [0.5, 0],
      [1, 0.25],
      [1, 0.75],
      [0.5, 1],
      [0, 0.75],
      [0, 0.25],
      [0.5, 0.5],
    ] as const;
    const shapes = new Map<string, string>();
    for (const digits of ['01234567', '89abcdef']) {
      const data = drawn(digits);
      for (const { left, top } of whole)
        for (const [index, digit] of Array.from(digits).entries()) {
          const lit = segments.map(([x, y]) => {
            const across = Math.round(left + (index % columns) * step + x * glyphWidth);
            const down = Math.round(top + Math.floor(index / columns) * lead + y * glyphHeight);
            return data[(down * width + across) * 3]! > 170 ? 1 : 0;
          });
          const shape = lit.join('');
          assert.equal(shape, shapes.get(digit) ?? shape, `every mark shows ${digit}`);
          shapes.set(digit, shape);
        }
    }
    const expected = {
      0: '1111110',
      1: '0110000',
      2: '1101101',
      5: '1011011',
      8: '1111111',
      b: '0011111',
      d: '0111101',
      f: '1000111',
    };
    for (const [digit, shape] of Object.entries(expected)) assert.equal(shapes.get(digit), shape, digit);
    assert.equal(new Set(shapes.values()).size, 16, 'every digit looks different');
  }

  it('hides the same places in both sizes, so that one does not repair the other', async () => {
    const copies = await copiesOf(await pictures['drawn']!());
    const plain = await raw(copies['plain-image']);
    const large = await raw(copies['marked-image']);
    const small = await raw(copies['marked-thumbnail'], plain);
    const attempts: Record<string, (a: number, b: number) => number> = {
      mean: (a, b) => (a + b) / 2,
      darker: Math.min,
      lighter: Math.max,
      'the preview less what the thumbnail lacks': (a, b) => Math.min(255, Math.max(0, 2 * b - a)),
      'the thumbnail less what the preview lacks': (a, b) => Math.min(255, Math.max(0, 2 * a - b)),
    };
    const { places, markWidth, markHeight } = layoutOf(plain.width, plain.height, MARK.length);
    const marks = places.filter(
      (at) => at.left >= 0 && at.top >= 0 && at.left + markWidth <= plain.width && at.top + markHeight <= plain.height,
    );
    const error = (found: Raw) =>
      marks.reduce(
        (sum, { left, top }) => sum + difference(plain, found, { left, top, width: markWidth, height: markHeight }),
        0,
      ) / marks.length;
    const before = error(large);
    const together = error({ ...large, data: bestSum(plain, [large, small]) });
    assert.ok(together > before * 0.6, `the best sum of both: ${together} of ${before}`);
    for (const [attempt, of] of Object.entries(attempts)) {
      const data = Buffer.from(large.data.map((value, at) => of(value, small.data[at]!)));
      const left = error({ ...large, data });
      assert.ok(left > before * 0.6 && left > 12, `${attempt}: ${left} of ${before}`);
    }
  });

  it('cannot be computed without the original: another seed leaves most of it', () => {
    const [width, height] = [512, 512];
    const gray = () => Buffer.alloc(width * height * 3, 128);
    const marked = (seed: Buffer) => {
      const data = gray();
      drawWatermark({ data, width, height, channels: 3 }, MARK, seed);
      return { data, width, height };
    };
    const area = { left: 0, top: 0, width, height };
    const [one, other] = [marked(Buffer.alloc(32, 1)), marked(Buffer.alloc(32, 2))];
    assert.deepEqual(one.data, marked(Buffer.alloc(32, 1)).data, 'two processes draw the same');
    const original = { data: gray(), width, height };
    const repaired = {
      ...one,
      data: Buffer.from(one.data.map((value, at) => Math.min(255, Math.max(0, value - (other.data[at]! - 128))))),
    };
    assert.ok(difference(repaired, original, area) > difference(one, original, area) * 0.35);
  });

  it('covers transparent parts too', async () => {
    const empty = sharp({
      create: { width: 600, height: 400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const copies = await copiesOf(await empty.png().toBuffer());
    const { channels } = await sharp(copies['marked-image']).stats();
    assert.ok(channels[3]!.max > 200 && channels[3]!.mean > 10, JSON.stringify(channels[3]));
    assert.equal((await sharp(copies['plain-image']).stats()).channels[3]!.max, 0);
  });
});
