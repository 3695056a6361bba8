import { createDecodePool, InspectorBusy } from './decode-pool.ts';
import type { PictureAnswer, PictureJob } from './decode-process.ts';
import type { SharePictureRenderer } from '../ports/pictures.ts';

/** `bytes` is a WebP copy of an entry; empty for a picture without one. */
export type ShareJob = PictureJob & { site: string; title: string; lines: string[]; accent: string; colors: string[] };

type ShareAnswer = PictureAnswer & ({ ok: false } | { ok: true; jpeg: Uint8Array });

const script = new URL('./share-picture-worker.ts', import.meta.url);
const LIMITS = { cpuMs: 10_000, memoryMb: 256, niceness: 10, stalledMs: 30_000 };

/**
 * Creates the renderer of the pictures of link previews. One process draws them, and only a few requests wait for it, so a
 * flood of requests costs nobody else anything.
 */
export function createSharePictureRenderer({ queue = 8 }: { queue?: number } = {}): SharePictureRenderer {
  const pool = createDecodePool<ShareJob, ShareAnswer>(script, { workers: 1, queue, ...LIMITS });
  return {
    async render({ copy, ...text }) {
      const answer = await pool.decode({ bytes: copy ?? Buffer.alloc(0), ...text });
      if (typeof answer === 'string' || !answer.ok) throw new InspectorBusy();
      return Buffer.from(answer.jpeg);
    },
    close: pool.close,
  };
}
