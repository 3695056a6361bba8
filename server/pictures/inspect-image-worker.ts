import { createHash } from 'node:crypto';
import { isAsDescribed, openPicture } from './decode-worker.ts';
import { countScans } from './image-header.ts';
import { type InspectAnswer, type InspectJob, MOST_SCANS } from './inspect-image.ts';
import { perceptualHash } from './perceptual-hash.ts';

/** Decodes a whole picture. */
export async function inspect({ bytes, ...described }: InspectJob): Promise<InspectAnswer> {
  // Here and not in the service's process, because a file can make this count take a second.
  if (described.format === 'jpeg' && countScans(Buffer.from(bytes), MOST_SCANS + 1) > MOST_SCANS)
    return { ok: false, scans: 'too many' };
  if (!(await isAsDescribed(bytes, described))) return { ok: false };
  // Decodes all pixels at full size, because a load that shrinks could skip damaged bytes.
  const { data, info } = await openPicture(bytes)
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) return { ok: false };
  return {
    ok: true,
    // The size as shown, with the EXIF orientation applied.
    width: info.width,
    height: info.height,
    sha256: createHash('sha256').update(bytes).digest(),
    perceptualHash: perceptualHash(data, info.width, info.height),
  };
}
