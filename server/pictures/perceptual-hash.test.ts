import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { hammingDistance, perceptualHash } from './perceptual-hash.ts';
import { draw } from '../../test/support/test-pictures.ts';

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

async function hashOf(picture: Sharp): Promise<bigint> {
  const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
  return perceptualHash(data, info.width, info.height);
}

test('hashes of copies stay near in any format, size, quality, and brightness', async () => {
  for (const seed of seeds) {
    const original = await hashOf(draw(seed));
    const png = await draw(seed).png().toBuffer();
    const copies = {
      jpeg: await sharp(png).jpeg({ quality: 40 }).toBuffer(),
      webp: await sharp(png).webp({ quality: 30 }).toBuffer(),
      larger: await sharp(png).resize(1200, 800).jpeg().toBuffer(),
      smaller: await sharp(png).resize(120, 100, { fit: 'fill' }).png().toBuffer(),
      brighter: await sharp(png).linear(0.8, 30).png().toBuffer(),
      blurred: await sharp(png).blur(1.5).png().toBuffer(),
    };
    for (const [what, copy] of Object.entries(copies)) {
      const distance = hammingDistance(original, await hashOf(sharp(copy)));
      assert.ok(distance <= 6, `${what} of ${seed}: ${distance} bits`);
    }
  }
});

test('hashes of different pictures are far apart', async () => {
  const hashes = await Promise.all(seeds.map((seed) => hashOf(draw(seed))));
  for (const [index, hash] of hashes.entries())
    for (const other of hashes.slice(index + 1)) assert.ok(hammingDistance(hash, other) > 16);
});

test('a hash is a signed 64-bit number with a fixed value', async () => {
  const hashes = await Promise.all(seeds.map((seed) => hashOf(draw(seed))));
  for (const hash of hashes) assert.equal(hash, BigInt.asIntN(64, hash));
  assert.ok(
    hashes.some((hash) => hash < 0n),
    'the highest bit is used',
  );
  // New hashes are compared with stored ones, so this test must fail when the algorithm changes.
  const known = Uint8Array.from({ length: 130 * 110 }, (_, at) => ((at % 130) * 7 + Math.floor(at / 130) ** 2) % 251);
  assert.equal(perceptualHash(known, 130, 110), -458907662199709269n);
});

test('all plain pictures have the same hash, at every size and shade', () => {
  for (const [width, height, shade] of [
    [100, 100, 0],
    [2048, 100, 255],
    [137, 301, 77],
  ] as const)
    assert.equal(perceptualHash(new Uint8Array(width * height).fill(shade), width, height), 0n);
});

test('hammingDistance counts differing bits, including the sign bit', () => {
  assert.equal(hammingDistance(0n, 0n), 0);
  assert.equal(hammingDistance(0n, -1n), 64);
  assert.equal(hammingDistance(-(2n ** 63n), 2n ** 63n - 1n), 64);
  assert.equal(hammingDistance(5n, -(2n ** 63n) + 4n), 2);
});
