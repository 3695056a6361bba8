import { StorageError } from '../ports/storage.ts';
import { createDecodePool, InspectorBusy } from './decode-pool.ts';
import { describePicture, type DecodeJob } from './inspect-image.ts';
import type { Original, Copies, CopyRenderer, CopyVariant } from '../ports/pictures.ts';

export type CopyJob = DecodeJob & { sha256: Uint8Array; mark: string | null };

export type CopyAnswer = { ok: false } | ({ ok: true } & Record<CopyVariant, Uint8Array>);
export type CopyRendererOptions = { workers?: number; cpuMs?: number; queue?: number };

// Copies give way to everything else, so a busy machine leaves them a fiftieth of a processor.
const STALLED_MS = 120_000;
const script = new URL('./public-copies-worker.ts', import.meta.url);

/** Creates the renderer of public copies. It has its own processes, so that visitors do not delay confirmations. */
export function createCopyRenderer(options: CopyRendererOptions = {}): CopyRenderer {
  const { workers = 2, cpuMs = 10_000, queue = 1000 } = options;
  const limits = { cpuMs, memoryMb: 256, niceness: 10, stalledMs: STALLED_MS };
  const pool = createDecodePool<CopyJob, CopyAnswer>(script, { workers, queue, ...limits });

  async function render(bytes: Buffer, { contentType, sha256 }: Original, mark: string | null): Promise<Copies> {
    const { format, width, height } = describe(bytes, contentType);
    const answer = await pool.decode({ bytes, format, width, height, sha256, mark });
    if (answer === 'stalled') throw new InspectorBusy();
    if (typeof answer === 'string' || !answer.ok) throw damaged();
    const copy = (variant: CopyVariant) => Buffer.from(answer[variant]);
    return {
      'plain-image': copy('plain-image'),
      'plain-thumbnail': copy('plain-thumbnail'),
      'marked-image': copy('marked-image'),
    };
  }

  return { render, close: pool.close };
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
