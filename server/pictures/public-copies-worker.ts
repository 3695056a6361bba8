import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { isAsDescribed, openPicture } from './decode-worker.ts';
import type { CopyAnswer, CopyJob } from './public-copies-renderer.ts';
import { drawWatermark, type Pixels } from './watermark.ts';

const PREVIEW_SIDE = 1024;
const THUMBNAIL_SIDE = 400;

/**
 * Renders the copies from decoded pixels only, so they cannot contain the file's location, author, profile, or texts.
 * The colors of the profile are converted to sRGB, and the orientation is applied.
 */
export async function copy({ bytes, sha256, mark, ...described }: CopyJob): Promise<CopyAnswer> {
  const found = createHash('sha256').update(bytes).digest();
  if (!found.equals(sha256)) return { ok: false };
  if (!(await isAsDescribed(bytes, described))) return { ok: false };
  const whole = await raw(openPicture(bytes).autoOrient().toColourspace('srgb'));
  // The preview of an entry shows at most 60 % of each side, and its thumbnail 40 %: only the winner sells the whole.
  const side = Math.max(whole.width, whole.height);
  const most = (part: number) => (mark === null ? side : Math.ceil(side * part));
  const plain = await raw(within(whole, Math.min(PREVIEW_SIDE, most(0.6))));
  const marked = { ...plain, data: Buffer.from(plain.data) };
  if (mark !== null) drawWatermark(marked, mark);
  return {
    ok: true,
    'plain-image': await encoded(opened(plain), 85),
    'marked-image': await encoded(opened(marked), 85),
    'plain-thumbnail': await encoded(within(whole, Math.min(THUMBNAIL_SIDE, most(0.4))), 80),
  };
}

async function raw(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

function opened({ data, width, height, channels }: Pixels): Sharp {
  // sharp reports 1 to 4 channels and takes as many.
  return sharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });
}

function within(pixels: Pixels, side: number): Sharp {
  return opened(pixels).resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
}

async function encoded(picture: Sharp, quality: number): Promise<Buffer> {
  return await picture.webp({ quality, smartSubsample: true }).toBuffer();
}
