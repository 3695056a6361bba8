/** The two copies of a picture, re-encoded and without metadata: full size, and small. */
export type CopyVariant = 'image' | 'thumbnail';

/** The copies of confirmed pictures that other users may see. */
export type PublicCopies = {
  /**
   * Returns a WebP, rendered at the first request, or null when no such confirmed picture exists.
   *
   * @throws StorageError, or InspectorBusy when too many copies are being rendered
   */
  read(mediaFileId: string, variant: CopyVariant): Promise<Buffer | null>;
  /** Renders both copies in the background. */
  prepare(mediaFileId: string): void;
  /** Stops after the current picture. */
  stop(): Promise<void>;
};

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

export type ImageFacts = {
  /** Size as shown, with the EXIF orientation applied. */
  width: number;
  height: number;
  contentType: ImageType;
  sha256: Buffer;
  /** 64 bits, signed as PostgreSQL's bigint; compare by Hamming distance. */
  perceptualHash: bigint;
};

export type ImageInspector = {
  /** @throws ImageRejected, or InspectorBusy when too many pictures wait */
  inspect(bytes: Buffer, declared: { contentType: string }): Promise<ImageFacts>;
  close(): Promise<void>;
};

/** What the inspection of a confirmed picture found. */
export type Original = { contentType: string; sha256: Buffer };

/** Two WebP files in sRGB without metadata: full size, and at most 400 px on the longer side. */
export type Copies = { image: Buffer; thumbnail: Buffer };

export type CopyRenderer = {
  /**
   * @throws StorageError when the bytes are not those that were inspected, InspectorBusy when no process is free in time
   */
  render(bytes: Buffer, original: Original): Promise<Copies>;
  close(): Promise<void>;
};

/** Limits the memory of pictures in this process. */
export type PictureMemory = {
  /** Runs `work` when its bytes fit, in order of arrival. @throws InspectorBusy when too many wait */
  hold<T>(sizeBytes: number, work: () => Promise<T>): Promise<T>;
};

export type MediaUrls = {
  /** Returns URLs at which anyone can see the copies until `expiresAt`. */
  of(mediaFileId: string): { imageUrl: string; thumbnailUrl: string; expiresAt: Date };
  /** Returns when the URL expires. @throws DomainError UNAUTHORIZED for a forged or expired URL */
  verify(url: SignedMedia): Date;
};

/** The parts of a URL as text; the signature covers the text. */
export type SignedMedia = { mediaFileId: string; variant: string; expires: string; signature: string };

/** Where a confirmed picture's original is stored, and what the inspection found. */
export type StoredOriginal = { key: string; contentType: string; sizeBytes: number; sha256: Buffer };
