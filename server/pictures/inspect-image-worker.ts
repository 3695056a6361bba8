import { createHash } from 'node:crypto';
import { answerJobs, isAsDescribed, openPicture, stepSeconds } from './decode-worker.ts';
import type { InspectAnswer, InspectJob } from './inspect-image.ts';
import { perceptualHash } from './perceptual-hash.ts';

/** Decodes whole pictures, one at a time. Runs in a worker thread (decode-thread.ts). */

async function inspect({ bytes, ...described }: InspectJob): Promise<InspectAnswer> {
  if (!(await isAsDescribed(bytes, described))) return { ok: false };
  // Decodes all pixels at full size, because a load that shrinks could skip damaged bytes.
  const { data, info } = await openPicture(bytes)
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .timeout({ seconds: stepSeconds })
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

answerJobs(async (job: InspectJob) => ({ answer: await inspect(job), handOver: [] }));
