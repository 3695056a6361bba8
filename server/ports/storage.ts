/** What a presigned upload is bound to; the store refuses a PUT that differs in any of it. */
export type UploadGrant = {
  key: string;
  contentType: string;
  sizeBytes: number;
  expiresInSeconds: number;
};

export type StoredObject = { sizeBytes: number; contentType: string | null };

/**
 * Where originals and public copies live. Two drivers: a folder on disk (development) and S3.
 * Every method throws `StorageError` when the store can't answer; a missing object is `null`, never an error.
 * A PUT that is under way shows nothing; once it has succeeded, the whole object is there. The last one to finish wins.
 */
export type Storage = {
  /** A URL that takes exactly one kind of PUT: this method, key, content type and length, until it expires. */
  presignUpload(grant: UploadGrant): Promise<string>;
  /** Size and type as stored, or null when nothing was uploaded under the key. */
  head(key: string): Promise<StoredObject | null>;
  /** The whole object, at most `maxBytes` (more throws StorageError), or null. */
  read(key: string, maxBytes: number): Promise<Buffer | null>;
  write(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Deleting what is not there succeeds. */
  remove(key: string): Promise<void>;
  /** Throws when the store can't answer; for /readyz. */
  check(): Promise<void>;
};

export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StorageError';
  }
}

const keySegment = /^[a-z0-9_-][a-z0-9._-]*$/;

/**
 * Keys are ours, never a client's file name: segments of `a-z 0-9 . _ -` joined by `/`, 200 characters at most, none
 * beginning with a dot. So a key is the same in a URL, in S3 and on a case-insensitive disk, and `..` leads nowhere.
 */
export function assertKey(key: string): void {
  if (key.length > 200 || !key.split('/').every((segment) => keySegment.test(segment)))
    throw new StorageError(`not a storage key: ${JSON.stringify(key.slice(0, 200))}`);
}

/** A type without parameters; the same rule for both drivers, so that what one stores the other would. */
export function assertContentType(contentType: string): void {
  if (!/^[a-z0-9.+-]{1,50}\/[a-z0-9.+-]{1,50}$/.test(contentType))
    throw new StorageError(`not a content type: ${JSON.stringify(contentType.slice(0, 110))}`);
}

/** Both drivers refuse a grant that no upload could meet, or that would not be bounded. */
export function assertGrant(grant: UploadGrant): void {
  assertKey(grant.key);
  assertContentType(grant.contentType);
  if (!Number.isSafeInteger(grant.sizeBytes) || grant.sizeBytes < 1)
    throw new StorageError(`not a size: ${grant.sizeBytes}`);
  // A week is the longest that S3 signs for.
  if (!Number.isSafeInteger(grant.expiresInSeconds) || grant.expiresInSeconds < 1 || grant.expiresInSeconds > 604_800)
    throw new StorageError(`not a lifetime of a URL: ${grant.expiresInSeconds} s`);
}
