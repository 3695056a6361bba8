import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { artists } from './cast.ts';
import { triangulate } from './delaunay.ts';
import { paint } from './picture.ts';
import { seeded } from './random.ts';
import { styles } from './styles.ts';

// own process: tests of the service block libvips' loaders for the whole process, and this file draws with all of them.

// The pictures are small, because every style runs three times. Shapes scale with the picture.
const size = { width: 240, height: 180 };

for (const { name, style, encoding } of artists) {
  test(`${style} draws the same picture for the same name and a different one for another name`, async () => {
    const picture = await paint(styles[style], name, size, encoding);
    const { format, width, height } = await sharp(picture).metadata();
    assert.deepEqual({ format, width, height }, { format: encoding, ...size });
    const { channels } = await sharp(picture).stats();
    assert.ok(
      channels.every(({ stdev }) => stdev > 10),
      'a picture, not a plain surface',
    );
    assert.deepEqual(await paint(styles[style], name, size, encoding), picture);
    assert.notDeepEqual(await paint(styles[style], `${name} II`, size, encoding), picture);
  });
}

test('every artist draws a picture that an upload accepts', () => {
  assert.equal(artists.length, 8);
  assert.equal(new Set(artists.map(({ style }) => style)).size, 8);
  for (const { size: own } of artists) {
    for (const side of [own.width, own.height]) assert.ok(side >= 960 && side <= 2048);
  }
});

test('no point lies inside the circle around a Delaunay triangle', () => {
  const random = seeded('points');
  const points = Array.from({ length: 120 }, (): [number, number] => [random.between(0, 500), random.between(0, 500)]);
  const triangles = triangulate(points);
  assert.ok(triangles.length > points.length);
  for (const [a, b, c] of triangles) {
    const twice = 2 * (a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]));
    const square = ([x, y]: readonly [number, number]) => x * x + y * y;
    const x = (square(a) * (b[1] - c[1]) + square(b) * (c[1] - a[1]) + square(c) * (a[1] - b[1])) / twice;
    const y = (square(a) * (c[0] - b[0]) + square(b) * (a[0] - c[0]) + square(c) * (b[0] - a[0])) / twice;
    const radius = Math.hypot(a[0] - x, a[1] - y);
    for (const [px, py] of points) assert.ok(Math.hypot(px - x, py - y) > radius - 1e-6);
  }
});
