import { createDecodePool, InspectorBusy } from './decode-pool.ts';
import { FORMATS, readImageHeader, sniff } from './image-header.ts';
import type { ImageFacts, ImageInspector, ImageType } from '../ports/pictures.ts';

/** The file is not acceptable. The message tells its author why. */
export class ImageRejected extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ImageRejected';
  }
}

/** The picture takes much longer to decode than a usual one. The inspector of slow pictures accepts it. */
export class PictureIsSlow extends Error {
  constructor() {
    super('the picture needs the inspector of slow pictures');
    this.name = 'PictureIsSlow';
  }
}

/** A file, and the format and size from its header. */
export type DecodeJob = { bytes: Uint8Array; format: string; width: number; height: number };
/** `mostScans`: the decoder does not decode a JPEG that has more. */
export type InspectJob = DecodeJob & { mostScans: number };

export type InspectAnswer =
  | { ok: false; scans?: 'too many' }
  | { ok: true; width: number; height: number; sha256: Uint8Array; perceptualHash: bigint };
export type ImageInspectorOptions = {
  workers?: number;
  /** The CPU time and the memory that one picture may use. */
  cpuMs?: number;
  memoryMb?: number;
  /** The priority of the processes: 0 is the service's, and a higher one gives way. */
  niceness?: number;
  /** The most pictures that may wait. The inspections of entries/ let few of them through at once. */
  queue?: number;
  /** Refuses slow pictures with PictureIsSlow, before any of them is decoded. */
  usualOnly?: boolean;
};

/** The bounds of each side of a picture, in pixels. */
export const PICTURE_SIDES = { least: 100, most: 2048 };
/** A progressive JPEG of 2,640 scans has 67 KB and takes 4 s of CPU. Encoders write about 10 scans. */
const MOST_SCANS = 100;
/** Encoders write about 10 scans, and each costs a pass over all pixels. */
const MOST_SCANS_OF_USUAL = 20;
/** A larger one takes up to 0.4 s of CPU. A PNG of any size takes at most 0.15 s. */
const MOST_BYTES_OF_USUAL = 4_000_000;
const script = new URL('./inspect-image-worker.ts', import.meta.url);

/** Creates the inspector of uploaded pictures, with processes of its own. */
export function createImageInspector(options: ImageInspectorOptions = {}): ImageInspector {
  // Requests come first when all processors are busy, then inspections, then copies.
  const { workers = 2, cpuMs = 2_000, memoryMb = 256, queue = 1000, niceness = 2, usualOnly = false } = options;
  const mostScans = usualOnly ? MOST_SCANS_OF_USUAL : MOST_SCANS;
  const pool = createDecodePool<InspectJob, InspectAnswer>(script, { workers, queue, cpuMs, memoryMb, niceness });

  async function inspect(bytes: Buffer, declared: { contentType: string }): Promise<ImageFacts> {
    const { contentType, ...described } = describePicture(bytes, declared.contentType);
    if (usualOnly && contentType !== 'image/png' && bytes.length > MOST_BYTES_OF_USUAL) throw new PictureIsSlow();
    const answer = await pool.decode({ bytes, mostScans, ...described });
    if (answer === 'stalled') throw new InspectorBusy();
    if (answer === 'cpu') throw new ImageRejected(`the picture took more than ${cpuMs / 1000} s of CPU to decode`);
    if (answer === 'memory') throw new ImageRejected(`the picture took more than ${memoryMb} MB to decode`);
    if (typeof answer === 'object' && !answer.ok && answer.scans) {
      if (usualOnly) throw new PictureIsSlow();
      throw new ImageRejected(`the picture has more than ${MOST_SCANS} scans`);
    }
    if (answer === 'crash' || !answer.ok)
      throw new ImageRejected('the picture cannot be decoded: the file is damaged, cut short or not well-formed');
    return {
      width: answer.width,
      height: answer.height,
      contentType,
      sha256: Buffer.from(answer.sha256),
      perceptualHash: answer.perceptualHash,
    };
  }

  return { inspect, close: pool.close };
}

/**
 * Checks a file before any decoder reads it: only a still picture of an accepted type and size passes.
 *
 * @throws ImageRejected
 */
export function describePicture(bytes: Buffer, declaredType: string) {
  const contentType = typeOf(bytes, declaredType);
  const { width, height } = sizeOf(bytes, contentType);
  return { contentType, format: FORMATS[contentType], width, height };
}

function typeOf(bytes: Buffer, declared: string): ImageType {
  if (bytes.length === 0) throw new ImageRejected('the file is empty');
  const found = sniff(bytes);
  if (found === null || 'other' in found)
    throw new ImageRejected(`the file is ${found?.other ?? 'no picture'}; JPEG, PNG and WebP are accepted`);
  if (found.type !== declared) throw new ImageRejected(`the file is ${found.type}, declared was ${declared}`);
  return found.type;
}

function sizeOf(bytes: Buffer, type: ImageType): { width: number; height: number } {
  const header = readImageHeader(bytes, type);
  if (header === null) throw new ImageRejected('the header of the picture is damaged or missing');
  if (header.animated) throw new ImageRejected('the picture is animated; one still picture is accepted');
  const fits = (side: number) => side >= PICTURE_SIDES.least && side <= PICTURE_SIDES.most;
  if (!fits(header.width) || !fits(header.height))
    throw new ImageRejected(
      `the picture has ${header.width} × ${header.height} px; ` +
        `both sides must have ${PICTURE_SIDES.least} to ${PICTURE_SIDES.most} px`,
    );
  return header;
}
