import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import type { DecodeAnswer, DecodeJob } from './decode-thread.ts';
import { perceptualHash } from './perceptual-hash.ts';

/** Runs in a worker thread (decode-thread.ts): decodes whole pictures, one at a time. */

// Every loader off but three: what is no JPEG, PNG or WebP reaches no parser, whatever it pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

const { timeoutMs } = workerData as { timeoutMs: number };

async function decode({ bytes, format, width, height }: DecodeJob): Promise<DecodeAnswer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const input = () => sharp(buffer, { failOn: 'error', limitInputPixels: 2048 * 2048, sequentialRead: true });
  try {
    const header = await input().metadata();
    if (header.format !== format || header.width !== width || header.height !== height || (header.pages ?? 1) !== 1)
      return { ok: false };
    // All pixels, at full size: a shrinking load could skip the very bytes that are damaged.
    const { data, info } = await input()
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .timeout({ seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 1) return { ok: false };
    return {
      ok: true,
      // As it is shown, with its orientation applied.
      width: info.width,
      height: info.height,
      sha256: createHash('sha256').update(bytes).digest(),
      perceptualHash: perceptualHash(data, info.width, info.height),
    };
  } catch {
    // What libvips says of a broken file is of no use to its author, and may tell of our insides.
    return { ok: false };
  }
}

const port = parentPort;
if (!port) throw new Error('inspect-image-worker.ts runs in a worker thread');
port.on('message', (job: DecodeJob) => {
  void decode(job).then((answer) => port.postMessage(answer, []));
});
port.postMessage('ready', []);
