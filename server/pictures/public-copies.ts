import type { Deps } from '../deps.ts';
import { StorageError } from '../ports/storage.ts';
import { InspectorBusy } from './decode-pool.ts';
import type { CopyVariant, PublicCopies, Copies, StoredOriginal } from '../ports/pictures.ts';

// What waits to be made holds no bytes yet. Beyond it who asks is told to come back; a browser's page asks for 50.
const MAX_FLIGHTS = 128;
// Made ahead, one after the other; what finds no place is made when somebody asks.
const MAX_AHEAD = 1000;
// A picture of 2048 × 2048 px of noise has 4 MB.
const MAX_COPY_BYTES = 16 * 1024 * 1024;

type Parts = Pick<Deps, 'storage' | 'renderCopies' | 'pictureMemory' | 'log'> & {
  /** Returns null when there is no such confirmed picture; the domain that owns pictures' rows passes it in. */
  findOriginal: (mediaFileId: string) => Promise<StoredOriginal | null>;
};

/**
 * The copies of confirmed pictures that others may see. They are made once, when first asked for or soon after the
 * confirmation, and stored; two processes that make the same ones store the same.
 */
export function createPublicCopies(parts: Parts): PublicCopies {
  const flights = new Map<string, Promise<Copies | null>>();
  const ahead: string[] = [];
  let preparing: Promise<void> | null = null;
  let stopped = false;

  async function make(mediaFileId: string): Promise<Copies | null> {
    const known = flights.get(mediaFileId);
    if (known) return known;
    if (flights.size >= MAX_FLIGHTS) throw new InspectorBusy();
    const flight = makeCopies(parts, mediaFileId).finally(() => flights.delete(mediaFileId));
    flights.set(mediaFileId, flight);
    return flight;
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
  { findOriginal, storage, renderCopies, pictureMemory }: Parts,
  mediaFileId: string,
): Promise<Copies | null> {
  const original = await findOriginal(mediaFileId);
  if (!original) return null;
  return pictureMemory.hold(original.sizeBytes, async () => {
    const bytes = await storage.read(original.key, original.sizeBytes);
    if (!bytes) throw new StorageError('the original of a confirmed picture is missing');
    const copies = await renderCopies(bytes, original);
    await Promise.all([
      storage.write(copyKey(mediaFileId, 'image'), copies.image, 'image/webp'),
      storage.write(copyKey(mediaFileId, 'thumbnail'), copies.thumbnail, 'image/webp'),
    ]);
    return copies;
  });
}

function copyKey(mediaFileId: string, variant: CopyVariant): string {
  return `copies/${mediaFileId}/${variant}.webp`;
}
