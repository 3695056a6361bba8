// Help for the author of a brief. `wire.test.ts` compares it with the contract.

/** A reference picture of an own brief. */
export type Reference = {
  id: string;
  /** `pending`: not uploaded or not confirmed. */
  status: 'pending' | 'ready';
  file_name: string;
  content_type: string;
  size_bytes: number;
  /** Null while pending. The URLs show smaller copies. */
  picture: { width: number; height: number; sha256: string; image_url: string; thumbnail_url: string } | null;
};
