import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it, test } from 'node:test';
import sharp from 'sharp';
import { createPicturePool } from './decoders.ts';
import { createCopyRenderer } from './public-copies-renderer.ts';
import { draw, withPngChunk } from '../../test/support/test-pictures.ts';

const pool = createPicturePool({ workers: 2 });
after(() => pool.close());
const renderer = createCopyRenderer(pool);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const MARK = 'Concours 01a1fd79';
const render = (bytes: Buffer, contentType: string) => renderer(bytes, { contentType, sha256: sha256(bytes) }, MARK);

/** Returns the RGB values of the shrunk picture, in sRGB. */
async function pixels(picture: Buffer): Promise<Buffer> {
  // Two steps, because a decoder that shrinks while it reads has other colors at edges.
  const whole = await sharp(picture).removeAlpha().png().toBuffer();
  return await sharp(whole).resize(30, 20, { fit: 'fill' }).raw().toBuffer();
}

async function meanDifference(a: Buffer, b: Buffer): Promise<number> {
  const [left, right] = [await pixels(a), await pixels(b)];
  assert.equal(left.length, right.length);
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length;
}

/** Returns the four-letter name of each chunk of a WebP. */
function webpChunks(webp: Buffer): string[] {
  const names = [];
  for (let at = 12; at + 8 <= webp.length; at += 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2))
    names.push(webp.toString('latin1', at, at + 4));
  return names;
}

const CANARY = 'canary of 48.8584 N 2.2945 E';

/** Returns a picture with EXIF and a location, XMP, a named profile, and in a PNG also texts. */
async function talkative(format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  const picture = await draw(1)
    .withIccProfile('p3')
    .withExif({
      IFD0: { Copyright: CANARY, Artist: CANARY },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 3024/100', GPSLongitudeRef: 'E' },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${CANARY}</a></x:xmpmeta>`)
    .toFormat(format)
    .toBuffer();
  if (format === 'jpeg') return withJpegComment(picture, CANARY);
  if (format === 'webp') return picture;
  return withPngChunk(
    withPngChunk(picture, 'tEXt', Buffer.from(`Comment\0${CANARY}`, 'latin1')),
    'prVt',
    Buffer.from(CANARY),
  );
}

function withJpegComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, Buffer.from(text), jpeg.subarray(2)]);
}

describe('copies of a picture', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const)
    test(`of ${format} contain its pixels and nothing else`, async () => {
      const original = await talkative(format);
      const before = await sharp(original).metadata();
      assert.ok(before.exif && before.xmp && before.icc, 'the metadata was planted');
      assert.ok(original.includes(CANARY));
      const copies = await render(original, `image/${format}`);
      for (const copy of Object.values(copies)) {
        const { exif, xmp, icc, iptc, comments, tifftagPhotoshop, space, ...left } = await sharp(copy).metadata();
        assert.deepEqual([exif, xmp, icc, iptc, comments, tifftagPhotoshop], Array(6).fill(undefined));
        assert.deepEqual([left.format, space, left.hasProfile, left.orientation], ['webp', 'srgb', false, undefined]);
        assert.deepEqual(webpChunks(copy), ['VP8 ']);
        // `acsp` is in every profile. Two letters would occur by chance.
        for (const trace of ['canary', 'Exif', 'GPS', 'xmp', 'ICC', 'acsp']) assert.ok(!copy.includes(trace), trace);
      }
      const { 'plain-image': image, 'plain-thumbnail': thumbnail } = copies;
      assert.ok((await meanDifference(image, original)) < 4);
      assert.ok((await meanDifference(thumbnail, original)) < 4);
    });

  test('have at most 1,024 and 400 px on their longer side, and 60 % and 40 % of the original', async () => {
    const sizeOf = async (copy: Buffer) => {
      const { width, height } = await sharp(copy).metadata();
      return [width, height];
    };
    for (const [width, height, preview, small] of [
      [500, 300, [300, 180], [200, 120]],
      [100, 2048, [50, 1024], [20, 400]],
      [2048, 100, [1024, 50], [400, 20]],
      [120, 100, [72, 60], [48, 40]],
    ] as const) {
      const picture = await draw(2, width, height).jpeg().toBuffer();
      const copies = await render(picture, 'image/jpeg');
      assert.deepEqual(await sizeOf(copies['plain-image']), preview);
      assert.deepEqual(await sizeOf(copies['marked-image']), preview);
      assert.deepEqual(await sizeOf(copies['plain-thumbnail']), small);
    }
    const reference = await draw(2, 500, 300).jpeg().toBuffer();
    const whole = await renderer(reference, { contentType: 'image/jpeg', sha256: sha256(reference) }, null);
    assert.deepEqual(await sizeOf(whole['plain-image']), [500, 300], 'a picture that is no entry');
    assert.ok(whole['marked-image'].equals(whole['plain-image']));
  });

  test('have the EXIF orientation applied', async () => {
    // A viewer shows each orientation by a clockwise turn, then by mirroring left and right.
    const shown: [orientation: number, degrees: number, mirrored: boolean][] = [
      [3, 180, false],
      [6, 90, false],
      [7, 270, true],
    ];
    const plain = await draw(3).png().toBuffer();
    for (const [orientation, degrees, mirrored] of shown) {
      const stored = await draw(3).withMetadata({ orientation }).png().toBuffer();
      // Two pipelines, because sharp mirrors before it turns, in any order of the calls.
      const turned = await sharp(plain).rotate(degrees).png().toBuffer();
      const expected = await sharp(turned).flop(mirrored).png().toBuffer();
      const { 'plain-image': image, 'plain-thumbnail': thumbnail } = await render(stored, 'image/png');
      const { width, height } = await sharp(expected).metadata();
      const found = await sharp(image).metadata();
      const reduced = [width, height].map((side) => Math.round((side ?? 0) * 0.6));
      assert.deepEqual([found.width, found.height], reduced, `orientation ${orientation}`);
      for (const copy of [image, thumbnail])
        assert.ok((await meanDifference(copy, expected)) < 4, `orientation ${orientation}`);
    }
  });
});

test('a file that is not the confirmed picture has no copies, and neither has one that is no picture', async () => {
  const png = await draw(1).png().toBuffer();
  const hostile: [Buffer, string][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect/></svg>'), 'image/png'],
    [await draw(1).gif().toBuffer(), 'image/png'],
    [png, 'image/jpeg'],
    [png.subarray(0, Math.floor(png.length / 2)), 'image/png'],
    [await draw(1, 3000, 200).png().toBuffer(), 'image/png'],
  ];
  const damaged = { name: 'StorageError', message: 'a stored original is not the picture that was confirmed' };
  for (const [bytes, type] of hostile) await assert.rejects(render(bytes, type), damaged, `${bytes.length} ${type}`);
  const other = { contentType: 'image/png', sha256: sha256(Buffer.from('another picture')) };
  await assert.rejects(renderer(png, other, MARK), damaged);
});

describe('a mark', () => {
  const copiesOf = (picture: Buffer, mark = MARK) =>
    renderer(picture, { contentType: 'image/png', sha256: sha256(picture) }, mark);
  const values = (picture: Buffer) => sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer();
  const plain = (background: string) => sharp({ create: { width: 800, height: 550, channels: 3, background } });

  /** Returns the parts of all values that differ visibly, and by more than a discreet mark may. */
  async function differences(one: Buffer, other: Buffer): Promise<{ seen: number; loud: number }> {
    const [a, b] = [await values(one), await values(other)];
    const part = (least: number) => a.filter((value, at) => Math.abs(value - b[at]!) >= least).length / a.length;
    return { seen: part(12), loud: part(60) };
  }

  const pictures = {
    white: plain('#ffffff'),
    drawn: draw(3, 1200, 300),
  };
  for (const [name, picture] of Object.entries(pictures))
    it(`is seen in the marked preview, and hides little: ${name}`, async () => {
      const copies = await copiesOf(await picture.png().toBuffer());
      const { seen, loud } = await differences(copies['plain-image'], copies['marked-image']);
      assert.ok(seen > 0.001 && seen < 0.1, `${seen} of the values`);
      assert.ok(loud < 0.001, `${loud} of the values`);
    });

  it('names the entry', async () => {
    const picture = await plain('#808080').png().toBuffer();
    const [one, other] = [await copiesOf(picture), await copiesOf(picture, 'Concours 89abcdef')];
    assert.ok((await differences(one['marked-image'], other['marked-image'])).seen > 0.0005);
    assert.ok(one['plain-image'].equals(other['plain-image']));
  });
});
