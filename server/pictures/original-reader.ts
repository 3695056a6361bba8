import { createHash } from 'node:crypto';
import { DamagedObject, type PartOfObject, type Storage, StorageError } from '../storage/types.ts';

/** A stored original, and the SHA-256 of the bytes that were inspected. */
export type JudgedFile = { key: string; sizeBytes: number; sha256: Buffer };

/** The stored object is missing, or its bytes are not those that were inspected. Nothing is served in its place. */
export class OriginalUnavailable extends StorageError {
  readonly problem: 'missing' | 'changed';

  constructor(problem: 'missing' | 'changed') {
    super(`a stored original is ${problem}`);
    this.name = 'OriginalUnavailable';
    this.problem = problem;
  }
}

// A part at a time, so that 20 files of 20 MB need no more memory than one small file.
const PART_BYTES = 1024 * 1024;

/**
 * Reads whole originals and compares them with the inspected bytes. Stops when `left` is aborted.
 *
 * @throws OriginalUnavailable, or another StorageError; the reason of `left`
 */
export async function verifyOriginals(storage: Storage, files: JudgedFile[], left: AbortSignal): Promise<void> {
  for (const file of files) {
    left.throwIfAborted();
    const hash = createHash('sha256');
    for await (const part of partsOf(storage, file)) {
      left.throwIfAborted();
      hash.update(part);
    }
    requireJudged(hash.digest(), file);
  }
}

/**
 * Yields the bytes of an original. Yields its last part only if all bytes are the inspected ones, so a reader never has a
 * whole file that differs.
 *
 * @throws OriginalUnavailable, or another StorageError
 */
export async function* readOriginal(storage: Storage, file: JudgedFile): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  for await (const part of partsOf(storage, file)) {
    hash.update(part);
    if (held) yield held;
    held = part;
  }
  requireJudged(hash.digest(), file);
  if (held) yield held;
}

async function* partsOf(storage: Storage, { key, sizeBytes }: JudgedFile): AsyncGenerator<Buffer> {
  let from = 0;
  for (;;) {
    // One byte more than the file has, so that a longer object shows.
    const bytes = Math.min(PART_BYTES, sizeBytes + 1 - from);
    const part = await readPart(storage, key, { from, bytes });
    from += part.length;
    if (from > sizeBytes) throw new OriginalUnavailable('changed');
    if (part.length > 0) yield part;
    if (part.length === bytes) continue;
    if (from < sizeBytes) throw new OriginalUnavailable('changed');
    return;
  }
}

async function readPart(storage: Storage, key: string, part: PartOfObject): Promise<Buffer> {
  try {
    const read = await storage.readPart(key, part);
    if (read) return read;
  } catch (error) {
    if (error instanceof DamagedObject) throw new OriginalUnavailable('changed');
    throw error;
  }
  throw new OriginalUnavailable('missing');
}

function requireJudged(found: Buffer, { sha256 }: JudgedFile): void {
  if (!found.equals(sha256)) throw new OriginalUnavailable('changed');
}
