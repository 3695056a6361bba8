import { type DecodePool, InspectorBusy } from './decode-pool.ts';
import type { Outcome } from './decode-process.ts';
import { FORMATS, readImageHeader, sniff } from './image-header.ts';
import type { ImageInspector, ImageType, ImageFacts } from './types.ts';

/** The file is not acceptable. The message tells its author why. */
class ImageRejected extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ImageRejected';
  }
}

/** A file, and the format and size from its header. */
export type DecodeJob = { bytes: Uint8Array; cpuMs: number; format: string; width: number; height: number };
export type InspectJob = DecodeJob;

export type InspectAnswer =
  | { ok: false; scans?: 'too many' }
  | { ok: true; width: number; height: number; sha256: Uint8Array; perceptualHash: bigint };

/** The bounds of each side of a picture, in pixels. */
export const PICTURE_SIDES = { least: 100, most: 2048 };
/** A progressive JPEG of 2,640 scans has 67 KB and takes 4 s of CPU. Encoders write about 10 scans. */
export const MOST_SCANS = 100;
/** The CPU time that one picture may use. */
const CPU_MS = 2_000;

/** Creates the inspector of uploaded pictures. */
export function createImageInspector(
  pool: Pick<DecodePool<InspectJob, unknown>, 'decode'>,
  { cpuMs = CPU_MS } = {},
): ImageInspector {
  return async (bytes, declared) => {
    const { contentType, ...described } = describePicture(bytes, declared.contentType);
    const answer = (await pool.decode({ bytes, cpuMs, ...described })) as Outcome<InspectAnswer>;
    if (answer === 'stalled') throw new InspectorBusy();
    if (answer === 'cpu') throw new ImageRejected(`the picture took more than ${cpuMs / 1000} s of CPU to decode`);
    if (answer === 'memory') throw new ImageRejected('the picture took too much memory to decode');
    if (typeof answer === 'object' && !answer.ok && answer.scans)
      throw new ImageRejected(`the picture has more than ${MOST_SCANS} scans`);
    if (answer === 'crash' || !answer.ok)
      throw new ImageRejected('the picture cannot be decoded: the file is damaged, cut short or not well-formed');
    const { width, height, sha256, perceptualHash } = answer;
    return { width, height, contentType, sha256: Buffer.from(sha256), perceptualHash };
  };
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

/** Inspects the bytes of an upload. Returns the reason if the service does not accept them. */
export async function inspectUpload(
  inspect: ImageInspector,
  { sizeBytes, contentType }: { sizeBytes: number; contentType: string },
  bytes: Buffer,
): Promise<{ facts: ImageFacts } | { reason: string }> {
  if (bytes.length !== sizeBytes) return { reason: `the file has ${bytes.length} bytes, ${sizeBytes} were declared` };
  try {
    return { facts: await inspect(bytes, { contentType }) };
  } catch (error) {
    if (!(error instanceof ImageRejected)) throw error;
    return { reason: error.message };
  }
}
