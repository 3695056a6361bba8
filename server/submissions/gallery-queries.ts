import type { Queryable } from '../context.ts';

export type OriginalRow = { key: string; contentType: string; sizeBytes: number; sha256: Buffer };

/** What was judged and is kept of a confirmed picture. */
export async function findOriginal(db: Queryable, mediaFileId: string): Promise<OriginalRow | null> {
  const [row] = await db<OriginalRow[]>`
    select original_key as key, content_type as "contentType", size_bytes as "sizeBytes", sha256
    from media_files where id = ${mediaFileId} and status = 'completed'`;
  return row ?? null;
}
