import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { assertContentType, assertKey, StorageError } from '../ports/storage.ts';
import type { StoredObject } from '../ports/storage.ts';

/**
 * One file per object: its bytes, then 128 bytes that tell the content type. Both become visible in one rename, which a
 * file beside it could not; and a picture with a few bytes after its end still opens in any viewer.
 */
const trailerBytes = 128;
const trailerMark = '\nconcours-object ';

/** Appends to the object that is being written. */
export type Append = (chunk: Uint8Array) => Promise<void>;

export type ObjectFolder = {
  objects: string;
  incoming: string;
  nextTemporary: () => string;
  openFile: typeof open;
};

// Several processes may write in one folder: each under names of its own. Its start is in them, for pids come again.
const OWNER = `${process.pid}-${Math.round(performance.timeOrigin)}`;
let last = 0;

export function objectFolder(folder: string, openFile: typeof open): ObjectFolder {
  const incoming = join(folder, 'incoming');
  const nextTemporary = () => join(incoming, `${OWNER}-${++last}`);
  return { objects: join(folder, 'objects'), incoming, nextTemporary, openFile };
}

// Longer than any upload may take: what is older was left half done by a process that was killed.
const LEFTOVER_MS = 10 * 60_000;

export async function prepareFolder(folder: ObjectFolder): Promise<void> {
  await mkdir(folder.objects, { recursive: true, mode: 0o700 });
  await mkdir(folder.incoming, { recursive: true, mode: 0o700 });
  // By the file system's own clock, which is the one that dates the others.
  const marker = folder.nextTemporary();
  await writeFile(marker, '');
  const { mtimeMs: now } = await stat(marker);
  await rm(marker);
  for (const name of await readdir(folder.incoming)) {
    const path = join(folder.incoming, name);
    const found = await stat(path).catch(() => null);
    if (found && now - found.mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}

/** Stores what `fill` appends: all of it, or (when anything fails) nothing. */
export async function placeObject(
  folder: ObjectFolder,
  key: string,
  contentType: string,
  fill: (append: Append) => Promise<void>,
): Promise<void> {
  const path = pathOf(folder, key);
  assertContentType(contentType);
  const temporary = folder.nextTemporary();
  try {
    await writeWhole(folder, temporary, contentType, fill);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

async function writeWhole(
  folder: ObjectFolder,
  path: string,
  contentType: string,
  fill: (append: Append) => Promise<void>,
): Promise<void> {
  await withFile(await folder.openFile(path, 'wx', 0o600), async (file) => {
    // writeFile on a handle goes on where the last one ended, and never writes only a part.
    await fill((chunk) => file.writeFile(chunk));
    await file.writeFile(`${trailerMark}${contentType}`.padEnd(trailerBytes - 1) + '\n');
    // Before the rename: else a power cut can leave the name with no bytes behind it.
    await file.sync();
  });
}

/** Null when the object is not there; a folder that is not there is a fault of the store, not a missing object. */
export async function useObject<T>(
  folder: ObjectFolder,
  key: string,
  ask: (file: FileHandle, object: StoredObject) => Promise<T>,
): Promise<T | null> {
  const path = pathOf(folder, key);
  let found: FileHandle;
  try {
    found = await folder.openFile(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await stat(folder.objects);
    return null;
  }
  return withFile(found, async (file) => ask(file, await describe(file)));
}

async function describe(file: FileHandle): Promise<StoredObject> {
  const sizeBytes = (await file.stat()).size - trailerBytes;
  const trailer = Buffer.alloc(trailerBytes);
  if (sizeBytes >= 0) await file.read(trailer, 0, trailerBytes, sizeBytes);
  const text = trailer.toString('latin1');
  if (!text.startsWith(trailerMark)) throw damaged();
  return { sizeBytes, contentType: text.slice(trailerMark.length).trim() };
}

export async function readWhole(file: FileHandle, object: StoredObject, maxBytes: number): Promise<Buffer> {
  if (object.sizeBytes > maxBytes)
    throw new StorageError(`disk storage: the object has ${object.sizeBytes} bytes, more than ${maxBytes}`);
  const body = Buffer.alloc(object.sizeBytes);
  let filled = 0;
  while (filled < body.length) {
    const { bytesRead } = await file.read(body, filled, body.length - filled, filled);
    if (bytesRead === 0) throw damaged();
    filled += bytesRead;
  }
  return body;
}

export async function removeObject(folder: ObjectFolder, key: string): Promise<void> {
  await rm(pathOf(folder, key), { force: true });
  await syncFolder(folder);
}

/** Writing is what fails first when a disk is full, read-only or gone. */
export async function probeFolder(folder: ObjectFolder): Promise<void> {
  await stat(folder.objects);
  const temporary = folder.nextTemporary();
  try {
    await withFile(await folder.openFile(temporary, 'wx', 0o600), (file) => file.writeFile('probe'));
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** `/` becomes `+`, which no key has: one flat folder, where the keys `a` and `a/b` can both be files. */
function pathOf(folder: ObjectFolder, key: string): string {
  assertKey(key);
  return join(folder.objects, key.replaceAll('/', '+'));
}

/** Makes a rename or removal outlast a power cut. Windows has no such thing for folders. */
async function syncFolder(folder: ObjectFolder): Promise<void> {
  if (process.platform === 'win32') return;
  await withFile(await folder.openFile(folder.objects, 'r'), (handle) => handle.sync());
}

async function withFile<T>(file: FileHandle, use: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function damaged(): StorageError {
  return new StorageError('disk storage: a stored object is damaged');
}
