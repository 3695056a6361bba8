import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assertContentType, assertKey, DamagedObject, StorageError } from './types.ts';
import type { PartOfObject, StoredObject } from './types.ts';

/**
 * One file per object: its bytes, then 128 bytes with the content type. One rename makes both visible, which a second
 * file could not. Viewers still open a picture with extra bytes at its end.
 */
const trailerBytes = 128;
const trailerMark = '\nconcours-object ';

/** Appends bytes to the object that is being written. */
export type Append = (chunk: Uint8Array) => Promise<void>;

export type ObjectFolder = {
  objects: string;
  incoming: string;
  nextTemporary: () => string;
  openFile: typeof open;
};

// Several processes may write into one folder, so the names contain the process id and, because ids repeat, its start
// time.
const OWNER = `${process.pid}-${Math.round(performance.timeOrigin)}`;
let last = 0;

export function objectFolder(folder: string, openFile: typeof open): ObjectFolder {
  const incoming = join(folder, 'incoming');
  const nextTemporary = () => join(incoming, `${OWNER}-${++last}`);
  return { objects: join(folder, 'objects'), incoming, nextTemporary, openFile };
}

// Longer than any upload may take, so an older temporary file belongs to a killed process.
const LEFTOVER_MS = 10 * 60_000;

export async function prepareFolder(folder: ObjectFolder): Promise<void> {
  await mkdir(folder.objects, { recursive: true, mode: 0o700 });
  await mkdir(folder.incoming, { recursive: true, mode: 0o700 });
  // Compare with the clock of the file system, which also dates the other files.
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

/** Stores what `fill` appends: all of it, or nothing when anything fails. */
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
    // writeFile on a handle appends, and never writes only a part.
    await fill((chunk) => file.writeFile(chunk));
    await file.writeFile(`${trailerMark}${contentType}`.padEnd(trailerBytes - 1) + '\n');
    // Sync before the rename, or a power failure can leave a name without bytes.
    await file.sync();
  });
}

/** Returns null for a missing object. @throws StorageError when the folder itself is missing */
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
  const { size, ino, mtime: modifiedAt, mtimeMs } = await file.stat();
  const sizeBytes = size - trailerBytes;
  const trailer = Buffer.alloc(trailerBytes);
  if (sizeBytes >= 0) await file.read(trailer, 0, trailerBytes, sizeBytes);
  const text = trailer.toString('latin1');
  if (!text.startsWith(trailerMark)) throw damaged();
  // Each PUT makes a new file.
  const contentType = text.slice(trailerMark.length).trim();
  return { sizeBytes, contentType, modifiedAt, version: `${ino}-${mtimeMs}` };
}

export async function readWhole(file: FileHandle, object: StoredObject, maxBytes: number): Promise<Buffer> {
  if (object.sizeBytes > maxBytes)
    throw new StorageError(`disk storage: the object has ${object.sizeBytes} bytes, more than ${maxBytes}`);
  return await fillFrom(file, Buffer.alloc(object.sizeBytes), 0);
}

async function fillFrom(file: FileHandle, body: Buffer, from: number): Promise<Buffer> {
  let filled = 0;
  while (filled < body.length) {
    const { bytesRead } = await file.read(body, filled, body.length - filled, from + filled);
    if (bytesRead === 0) throw damaged();
    filled += bytesRead;
  }
  return body;
}

export async function readPart(file: FileHandle, object: StoredObject, { from, bytes }: PartOfObject): Promise<Buffer> {
  const length = Math.max(0, Math.min(bytes, object.sizeBytes - from));
  return await fillFrom(file, Buffer.alloc(length), from);
}

export async function removeObject(folder: ObjectFolder, key: string): Promise<void> {
  await rm(pathOf(folder, key), { force: true });
  await syncFolder(folder);
}

/** Checks the disk by placing an object: writing fails first when a disk is full, read-only, or missing. */
export async function probeFolder(folder: ObjectFolder): Promise<void> {
  const temporary = folder.nextTemporary();
  const placed = join(folder.objects, basename(temporary));
  try {
    await withFile(await folder.openFile(temporary, 'wx', 0o600), (file) => file.writeFile('probe'));
    // The rename fails when something else has taken the place of the folder of objects.
    await rename(temporary, placed);
  } finally {
    for (const path of [temporary, placed]) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Replaces `/` by `+`, which no key contains. In one flat folder the keys `a` and `a/b` can both be files. */
function pathOf(folder: ObjectFolder, key: string): string {
  assertKey(key);
  return join(folder.objects, key.replaceAll('/', '+'));
}

/** Makes a rename or removal survive a power failure. Windows cannot sync a folder. */
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

function damaged(): DamagedObject {
  return new DamagedObject('disk storage: a stored object is damaged');
}
