/** Of a picture, re-encoded and without metadata: at its full size, and small. */
export type CopyVariant = 'image' | 'thumbnail';

/** The copies of confirmed pictures that others may see. */
export type PublicCopies = {
  /**
   * A WebP, made now when nobody has asked before; null when there is no such confirmed picture.
   *
   * @throws StorageError, or InspectorBusy when too many are being made
   */
  read(mediaFileId: string, variant: CopyVariant): Promise<Buffer | null>;
  /** Has both made soon, without anybody waiting for it. */
  prepare(mediaFileId: string): void;
  /** Ends with the picture that is being made. */
  stop(): Promise<void>;
};

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

export type ImageFacts = {
  /** As shown: an EXIF orientation is applied. */
  width: number;
  height: number;
  contentType: ImageType;
  sha256: Buffer;
  /** 64 bits, signed as PostgreSQL's bigint; compare by Hamming distance. */
  perceptualHash: bigint;
};

export type ImageInspector = {
  /** Throws ImageRejected, or InspectorBusy when too many wait. */
  inspect(bytes: Buffer, declared: { contentType: string }): Promise<ImageFacts>;
  close(): Promise<void>;
};

/** What a confirmed picture was judged to be. */
export type Original = { contentType: string; sha256: Buffer };

/** Both WebP, sRGB, without metadata: the picture at its full size, and small, 400 px on its longer side at most. */
export type Copies = { image: Buffer; thumbnail: Buffer };

export type CopyRenderer = {
  /** @throws StorageError when these are not the bytes that were judged, InspectorBusy when no thread comes to it in time */
  render(bytes: Buffer, original: Original): Promise<Copies>;
  close(): Promise<void>;
};

/** Holds confirmations to what the process has room for. */
export type PictureMemory = {
  /** Runs `work` once its bytes fit beside those of the others, first come first served. Throws InspectorBusy when too many wait. */
  hold<T>(sizeBytes: number, work: () => Promise<T>): Promise<T>;
};

export type MediaUrls = {
  /** Where anyone sees the copies of a picture until then. */
  of(mediaFileId: string): { imageUrl: string; thumbnailUrl: string; expiresAt: Date };
  /** The end of the URL's life. @throws DomainError UNAUTHORIZED when it was not issued so, or has expired */
  verify(url: SignedMedia): Date;
};

/** As it stands in the URL: what is compared is the text. */
export type SignedMedia = { mediaFileId: string; variant: string; expires: string; signature: string };

/** Where a confirmed picture's original is stored, and what it was judged to be. */
export type StoredOriginal = { key: string; contentType: string; sizeBytes: number; sha256: Buffer };
