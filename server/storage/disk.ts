import { open } from 'node:fs/promises';
import {
  objectFolder,
  placeObject,
  prepareFolder,
  probeFolder,
  readPart,
  readWhole,
  removeObject,
  useObject,
} from './disk-objects.ts';
import { createUploadDoor } from './disk-upload.ts';
import { assertGrant, StorageError } from './types.ts';
import type { Storage } from './types.ts';

export type DiskStorageOptions = {
  /** The folder of all objects, created when missing. Several processes may share it. */
  folder: string;
  /** The service's address; presigned URLs are `<publicUrl>/storage/uploads/<key>?…`. */
  publicUrl: string;
  signingKey: Buffer;
  clock: { now(): Date };
  /** Ends an upload that sends nothing for this long. */
  idleTimeoutMs?: number;
  /** Ends any upload after this long, shortly before the HTTP server would close the connection without an answer. */
  overallTimeoutMs?: number;
  /** Opens a file; tests pass a disk that fails. */
  openFile?: typeof open;
};

export type DiskStorage = Storage & {
  /** Handles the PUT of a presigned URL. @throws DomainError for a refused upload, StorageError when the disk fails */
  handleUpload(request: Request): Promise<Response>;
};

/** The storage of a development start: a folder, with its own presigned PUT URLs. */
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
    read: (key, maxBytes, version) =>
      guard('read', () =>
        useObject(folder, key, async (file, object) =>
          version === undefined || version === object.version ? await readWhole(file, object, maxBytes) : null,
        ),
      ),
    readPart: (key, part) =>
      guard('read', () => useObject(folder, key, (file, object) => readPart(file, object, part))),
    write: (key, body, contentType) =>
      guard('write', () => placeObject(folder, key, contentType, (append) => append(body))),
    remove: (key) => guard('remove', () => removeObject(folder, key)),
    check: () => guard('check', () => probeFolder(folder)),
  };
}

/** Turns errors of the file system into StorageError; DomainError and StorageError pass through. */
async function guard<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new StorageError(`disk storage: ${action} failed with ${code}`, error);
  }
}
