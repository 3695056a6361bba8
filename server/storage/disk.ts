import { open } from 'node:fs/promises';
import {
  objectFolder,
  placeObject,
  prepareFolder,
  probeFolder,
  readWhole,
  removeObject,
  useObject,
} from './disk-objects.ts';
import { createUploadDoor } from './disk-upload.ts';
import { assertGrant, StorageError } from '../ports/storage.ts';
import type { Storage } from '../ports/storage.ts';

export type DiskStorageOptions = {
  /** Everything is below it; made when it is not there. Several processes may share it. */
  folder: string;
  /** Where the service is reached: presigned URLs are `<publicUrl>/storage/uploads/<key>?…`. */
  publicUrl: string;
  signingKey: Buffer;
  clock: { now(): Date };
  /** An upload that sends nothing for so long is given up. */
  idleTimeoutMs?: number;
  /** … and one that is not done by then: a little before the HTTP server would cut it off without a word. */
  overallTimeoutMs?: number;
  /** For tests: a disk that fails. */
  openFile?: typeof open;
};

export type DiskStorage = Storage & {
  /** Takes the PUT of a presigned URL; throws DomainError for what it refuses, StorageError where the disk fails. */
  handleUpload(request: Request): Promise<Response>;
};

/** The store of a development start: a folder, with presigned PUT URLs of its own. */
export async function createDiskStorage(options: DiskStorageOptions): Promise<DiskStorage> {
  const folder = objectFolder(options.folder, options.openFile ?? open);
  await guard('start', () => prepareFolder(folder));
  const door = createUploadDoor({
    publicUrl: options.publicUrl,
    signingKey: options.signingKey,
    clock: options.clock,
    idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
    overallTimeoutMs: options.overallTimeoutMs ?? 280_000,
    place: (key, contentType, fill) => guard('write', () => placeObject(folder, key, contentType, fill)),
  });
  return {
    presignUpload: async (grant) => {
      assertGrant(grant);
      return door.presign(grant);
    },
    handleUpload: door.handle,
    head: (key) => guard('head', () => useObject(folder, key, async (_file, object) => object)),
    read: (key, maxBytes) =>
      guard('read', () => useObject(folder, key, (file, object) => readWhole(file, object, maxBytes))),
    write: (key, body, contentType) =>
      guard('write', () => placeObject(folder, key, contentType, (append) => append(body))),
    remove: (key) => guard('remove', () => removeObject(folder, key)),
    check: () => guard('check', () => probeFolder(folder)),
  };
}

/** What the file system says becomes a StorageError; refusals made on purpose pass through. */
async function guard<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new StorageError(`disk storage: ${action} failed with ${code}`, error);
  }
}
