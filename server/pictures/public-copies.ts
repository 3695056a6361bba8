import type { Deps } from '../deps.ts';
import { StorageError } from '../storage/types.ts';
import { InspectorBusy } from './decode-pool.ts';
import { COPY_VARIANTS } from './types.ts';
import type { CopyVariant, PublicCopies, Copies, StoredOriginal } from './types.ts';

// A waiting copy holds no bytes yet. Beyond this limit, a request must try again later. A browser's page requests 50.
const MAX_RENDERING = 128;
// Copies rendered ahead run one after the other. A picture beyond this limit is rendered at its first request.
const MAX_AHEAD = 1000;
// A preview of 1024 × 1024 px of noise has 1 MB.
const MAX_COPY_BYTES = 8 * 1024 * 1024;
// An id begins with its time, so entries of the same minute share the first digits. The last ones are random.
const MARK_DIGITS = 8;

type Parts = Pick<Deps, 'storage' | 'renderCopies' | 'pictureTurns' | 'log'> & {
  /** The name in the mark. */
  siteName: string;
  /** Returns null when there is no such confirmed picture. The domain that owns the rows of pictures provides it. */
  findOriginal: (mediaFileId: string) => Promise<StoredOriginal | null>;
};

/**
 * Creates the public copies of confirmed pictures. The service renders and stores them soon after the confirmation, or
 * at the first request. Two processes that render the same picture store equal copies.
 */
export function createPublicCopies(parts: Parts): PublicCopies {
  const rendering = new Map<string, Promise<Copies | null>>();
  const ahead: string[] = [];
  let preparing: Promise<void> | null = null;
  let stopped = false;

  async function make(mediaFileId: string): Promise<Copies | null> {
    const known = rendering.get(mediaFileId);
    if (known) return known;
    if (rendering.size >= MAX_RENDERING) throw new InspectorBusy();
    const copies = makeCopies(parts, mediaFileId).finally(() => rendering.delete(mediaFileId));
    rendering.set(mediaFileId, copies);
    return copies;
  }

  async function read(mediaFileId: string, variant: CopyVariant): Promise<Buffer | null> {
    const stored = await parts.storage.read(copyKey(mediaFileId, variant), MAX_COPY_BYTES);
    return stored ?? (await make(mediaFileId))?.[variant] ?? null;
  }

  async function prepareAll(): Promise<void> {
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift())
      await make(next).catch((error: unknown) => {
        parts.log.warn({ err: error, mediaFileId: next }, 'copies of a picture could not be made ahead');
      });
    preparing = null;
  }

  return {
    read,
    prepare(mediaFileId) {
      if (stopped || ahead.length >= MAX_AHEAD) return;
      ahead.push(mediaFileId);
      preparing ??= prepareAll();
    },
    async stop() {
      stopped = true;
      ahead.length = 0;
      await preparing;
    },
  };
}

async function makeCopies(
  { findOriginal, storage, renderCopies, pictureTurns, siteName }: Parts,
  mediaFileId: string,
): Promise<Copies | null> {
  const original = await findOriginal(mediaFileId);
  if (!original) return null;
  // All copies together have the turns of one agent, so that visitors do not delay confirmations.
  return pictureTurns.run('copies', async (endTurn) => {
    const bytes = await storage.read(original.key, original.sizeBytes);
    if (!bytes) throw new StorageError('the original of a confirmed picture is missing');
    const mark = original.markId === null ? null : `${siteName} ${original.markId.slice(-MARK_DIGITS)}`;
    const copies = await renderCopies(bytes, original, mark);
    endTurn();
    await Promise.all(
      COPY_VARIANTS.map((variant) => storage.write(copyKey(mediaFileId, variant), copies[variant], 'image/webp')),
    );
    return copies;
  });
}

/** Removes the copies of a picture that nobody may see any more. */
export async function removePublicCopies({ storage }: Pick<Deps, 'storage'>, mediaFileId: string): Promise<void> {
  await Promise.all(COPY_VARIANTS.map((variant) => storage.remove(copyKey(mediaFileId, variant))));
}

function copyKey(mediaFileId: string, variant: CopyVariant): string {
  return `previews/${mediaFileId}/${variant}.webp`;
}
