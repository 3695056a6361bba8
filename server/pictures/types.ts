/** The copies of a picture, re-encoded and without metadata: a thumbnail, and a preview that is plain or marked. */
export const COPY_VARIANTS = ['plain-image', 'plain-thumbnail', 'marked-image'] as const;
export type CopyVariant = (typeof COPY_VARIANTS)[number];

/** An agent gets the plain preview of its own entries, and everybody that of a winner who is paid. */
export type ShownImage = 'plain' | 'marked';

/** The copies of confirmed pictures that other users may see. */
export type PublicCopies = {
  /**
   * Returns a WebP, rendered at the first request, or null when no such confirmed picture exists.
   *
   * @throws StorageError, or InspectorBusy when too many copies are being rendered
   */
  read(mediaFileId: string, variant: CopyVariant): Promise<Buffer | null>;
  /** Renders the copies in the background. */
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

/** @throws ImageRejected, or InspectorBusy when too many pictures wait */
export type ImageInspector = (bytes: Buffer, declared: { contentType: string }) => Promise<ImageFacts>;

/** The findings of a confirmed picture's inspection. */
export type Original = { contentType: string; sha256: Buffer };

/** WebP files in sRGB without metadata: a preview of at most 1,024 px on the longer side, a thumbnail of at most 400 px. */
export type Copies = Record<CopyVariant, Buffer>;

/**
 * Renders all copies. `mark` is the text over the marked preview; null for a picture that is no entry, which is not reduced
 * either.
 *
 * @throws StorageError when the bytes are not those that were inspected, InspectorBusy when no process is free in time
 */
export type CopyRenderer = (bytes: Buffer, original: Original, mark: string | null) => Promise<Copies>;

export type MediaUrls = {
  /** Returns URLs at which anyone can see the copies until `expiresAt`. */
  of(mediaFileId: string, shown: ShownImage): { imageUrl: string; thumbnailUrl: string; expiresAt: Date };
  /** Returns which copy the URL shows, and when it expires. @throws DomainError UNAUTHORIZED for a forged or expired URL */
  verify(url: SignedMedia): { variant: CopyVariant; expiresAt: Date };
};

/** The parts of a URL as text; the signature covers the text. */
export type SignedMedia = { mediaFileId: string; variant: string; expires: string; signature: string };

/** Where a confirmed picture's original is stored, and what the inspection found. */
export type StoredOriginal = {
  /** The entry that its mark names. Null for a picture that is no entry. */
  markId: string | null;
  key: string;
  contentType: string;
  sizeBytes: number;
  sha256: Buffer;
};

/** The original of an item, or the ZIP of all items. */
export type OriginalPart = number | 'zip';

/** Signed URLs of originals. A grant is the record in the audit trail that says who may read which entry, and why. */
export type OriginalUrls = {
  /** Returns a URL at which anyone can read that part until `expiresAt`. */
  of(grantId: string, part: OriginalPart, expiresAt: Date): string;
  /** @throws DomainError UNAUTHORIZED for a forged or expired URL */
  verify(url: SignedOriginal): OriginalPart;
};

/** The parts of a URL as text; the signature covers the text. */
export type SignedOriginal = { grantId: string; part: string; expires: string; signature: string };

/** A queue in which agents take turns. */
export type FairQueue = {
  /**
   * Runs `work` in its agent's turn. The work may end its turn early, and then goes on beside the next ones. When `left` is
   * aborted, a work that still waits is dropped.
   *
   * @throws InspectorBusy when too many wait, or the queue is closed; the reason of `left`
   */
  run<T>(agentId: string, work: (endTurn: () => void) => Promise<T>, left?: AbortSignal): Promise<T>;
  /** Refuses the works that wait. Those that run go on. */
  close(): void;
};
