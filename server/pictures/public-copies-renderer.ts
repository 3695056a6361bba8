import { StorageError } from '../storage/types.ts';
import { type DecodePool, InspectorBusy } from './decode-pool.ts';
import type { Outcome } from './decode-process.ts';
import { describePicture, type DecodeJob } from './inspect-image.ts';
import type { CopyRenderer, CopyVariant } from './types.ts';

export type CopyJob = DecodeJob & { sha256: Uint8Array; mark: string | null };

export type CopyAnswer = { ok: false } | ({ ok: true } & Record<CopyVariant, Uint8Array>);

/** The CPU time of one picture with all its copies. */
const CPU_MS = 10_000;

/** Creates the renderer of public copies. */
export function createCopyRenderer(pool: Pick<DecodePool<CopyJob, unknown>, 'decode'>): CopyRenderer {
  return async (bytes, { contentType, sha256 }, mark) => {
    const { format, width, height } = describe(bytes, contentType);
    const job: CopyJob = { bytes, cpuMs: CPU_MS, format, width, height, sha256, mark };
    const answer = (await pool.decode(job)) as Outcome<CopyAnswer>;
    if (answer === 'stalled') throw new InspectorBusy();
    if (typeof answer === 'string' || !answer.ok) throw damaged();
    const copy = (variant: CopyVariant) => Buffer.from(answer[variant]);
    return {
      'plain-image': copy('plain-image'),
      'plain-thumbnail': copy('plain-thumbnail'),
      'marked-image': copy('marked-image'),
    };
  };
}

function describe(bytes: Buffer, contentType: string) {
  try {
    return describePicture(bytes, contentType);
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause?: unknown): StorageError {
  return new StorageError('a stored original is not the picture that was confirmed', cause);
}
