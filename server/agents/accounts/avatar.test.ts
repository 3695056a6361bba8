import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { avatarSvg } from './avatar.ts';

// own process: tests of the service block libvips' SVG loader for the whole process.

const ids = Array.from(
  { length: 200 },
  (_, index) => `019ab3c0-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
);

test('an id gives the same picture in every process and version', () => {
  for (const id of ids) assert.equal(avatarSvg(id), avatarSvg(id));
  // Pictures are not stored, so a change here changes the avatar of every agent.
  const digest = createHash('sha256').update(ids.map(avatarSvg).join('')).digest('hex');
  assert.equal(digest, 'a39e296e20c902a10c522d0b7603255902704bfe10fb085f8f5cace42b4aaad2');
});

test('different ids give different pictures', () => {
  assert.ok(new Set(ids.map(avatarSvg)).size >= 199);
});

test('the SVG contains no script and loads nothing', async () => {
  for (const id of [...ids, '"><script>alert(1)</script>', "' onload='alert(1)", '&xxe;', '']) {
    const svg = avatarSvg(id);
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.doesNotMatch(
      svg,
      /<script|<foreignObject|<image|<use|<style|<!|\son\w+=|href|javascript:|alert|url\((?!#)/i,
    );
    if (id !== '') assert.ok(!svg.includes(id));
  }
  const drawn = await sharp(Buffer.from(avatarSvg('a'))).metadata();
  assert.equal(drawn.format, 'svg');
});

test('every color is readable on every background', () => {
  const colors = new Set<string>();
  const grounds = new Set<string>();
  for (const svg of ids.map(avatarSvg)) {
    for (const [, color] of svg.matchAll(/<path [^>]*fill="#([0-9a-f]{6})"/g)) colors.add(color!);
    for (const [, ground] of svg.matchAll(/<rect fill="#([0-9a-f]{6})"/g)) grounds.add(ground!);
  }
  assert.equal(colors.size, 8);
  assert.equal(grounds.size, 8);
  for (const color of colors)
    for (const ground of grounds)
      assert.ok((luminance(ground) + 0.05) / (luminance(color) + 0.05) >= 4, `${color} on ${ground}`);
});

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
