/** The conditions of a presigned upload. The store refuses a PUT that differs in any of them. */
export type UploadGrant = {
  key: string;
  contentType: string;
  sizeBytes: number;
  expiresInSeconds: number;
};

/** `modifiedAt` is the time of the last write, by the clock of the store. `version` changes with every PUT of other bytes. */
export type StoredObject = { sizeBytes: number; contentType: string | null; modifiedAt: Date; version: string };

/** A range of an object. */
export type PartOfObject = { from: number; bytes: number };

/**
 * Stores originals and public copies of pictures. The drivers are a folder on disk (development) and S3. Every method
 * throws StorageError when the store does not answer; a missing object is null, not an error. An object appears when
 * its PUT has finished. The PUT that finishes last wins.
 */
export type Storage = {
  /** Returns a URL that accepts one kind of PUT: this key, content type, and length, until it expires. */
  presignUpload(grant: UploadGrant): Promise<string>;
  /** Returns size, type, time, and version of an object, or null. */
  head(key: string): Promise<StoredObject | null>;
  /** Returns a whole object, of this version if one is given, or null. @throws StorageError for more than `maxBytes` */
  read(key: string, maxBytes: number, version?: string): Promise<Buffer | null>;
  /**
   * Returns at most `bytes` bytes from the offset `from`, or null for a missing object. Fewer bytes mean that the object
   * ends there.
   */
  readPart(key: string, part: PartOfObject): Promise<Buffer | null>;
  write(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Deletes an object; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** @throws StorageError when the store does not answer; for /readyz */
  check(): Promise<void>;
};

export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StorageError';
  }
}

/** The store answered, but the object is not whole. */
export class DamagedObject extends StorageError {}

const keySegment = /^[a-z0-9_-][a-z0-9._-]*$/;

/**
 * Checks a key: segments of `a-z 0-9 . _ -` joined by `/`, at most 200 characters, no segment starting with a dot. So a
 * key is the same in a URL, in S3, and on a case-insensitive disk, and `..` is impossible. Keys never come from file
 * names.
 *
 * @throws StorageError
 */
export function assertKey(key: string): void {
  if (key.length > 200 || !key.split('/').every((segment) => keySegment.test(segment)))
    throw new StorageError(`not a storage key: ${JSON.stringify(key.slice(0, 200))}`);
}

/** Checks a content type without parameters; both drivers accept the same ones. @throws StorageError */
export function assertContentType(contentType: string): void {
  if (!/^[a-z0-9.+-]{1,50}\/[a-z0-9.+-]{1,50}$/.test(contentType))
    throw new StorageError(`not a content type: ${JSON.stringify(contentType.slice(0, 110))}`);
}

/** Checks a grant: both drivers refuse one that no upload can meet, or that has no bound. @throws StorageError */
export function assertGrant(grant: UploadGrant): void {
  assertKey(grant.key);
  assertContentType(grant.contentType);
  if (!Number.isSafeInteger(grant.sizeBytes) || grant.sizeBytes < 1)
    throw new StorageError(`not a size: ${grant.sizeBytes}`);
  // S3 signs for at most a week.
  if (!Number.isSafeInteger(grant.expiresInSeconds) || grant.expiresInSeconds < 1 || grant.expiresInSeconds > 604_800)
    throw new StorageError(`not a lifetime of a URL: ${grant.expiresInSeconds} s`);
}
