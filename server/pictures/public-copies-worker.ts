import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { answerJobs, isAsDescribed, openPicture } from './decode-worker.ts';
import type { CopyAnswer, CopyJob } from './public-copies-renderer.ts';

/** Renders public copies, one picture at a time. Runs in a process of decode-process.ts. */

const THUMBNAIL_SIDE = 400;

/**
 * Renders the copies from decoded pixels only, so they cannot contain the file's location, author, profile, or texts.
 * The colors of the profile are converted to sRGB, and the orientation is applied.
 */
async function copy({ bytes, sha256, ...described }: CopyJob): Promise<CopyAnswer> {
  if (!createHash('sha256').update(bytes).digest().equals(sha256)) return { ok: false };
  if (!(await isAsDescribed(bytes, described))) return { ok: false };
  const { data, info } = await openPicture(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const image = await pixels().webp({ quality: 85, smartSubsample: true }).toBuffer();
  const thumbnail = await pixels()
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, smartSubsample: true })
    .toBuffer();
  return { ok: true, image, thumbnail };
}

answerJobs(copy);
