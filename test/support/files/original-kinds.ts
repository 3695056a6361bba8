import assert from 'node:assert/strict';
import sharp from 'sharp';
import { draw, withPngChunk } from '../test-pictures.ts';

/** A file that an agent uploads. */
export type Kind = { name: string; type: string; bytes: Buffer<ArrayBuffer> };
export const kind = async (name: string, type: string, bytes: Buffer): Promise<Kind> => ({
  name,
  type,
  bytes: Buffer.from(bytes),
});
/** Files that a copy would change: transparency, depth, profiles, progressive scans, and chunks that nobody knows. */
export const kinds: Kind[] = [
  await kind(
    'Leuchtturm – "A".png',
    'image/png',
    withPngChunk(await draw(1).ensureAlpha(0.5).png().toBuffer(), 'prVt', Buffer.from('x')),
  ),
  await kind('deep.png', 'image/png', await draw(2).toColourspace('rgb16').png().toBuffer()),
  await kind(
    'progressive.jpg',
    'image/jpeg',
    await draw(3).withIccProfile('p3').jpeg({ progressive: true }).toBuffer(),
  ),
  await kind('lossy.webp', 'image/webp', await draw(4).webp({ quality: 60 }).toBuffer()),
  await kind('灯台.webp', 'image/webp', await draw(5).webp({ lossless: true }).toBuffer()),
];
assert.equal((await sharp(kinds[1]!.bytes).metadata()).depth, 'ushort');
assert.ok((await sharp(kinds[2]!.bytes).metadata()).isProgressive && (await sharp(kinds[2]!.bytes).metadata()).icc);
