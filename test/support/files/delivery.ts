import { createHash } from 'node:crypto';
import type { Storage } from '../../../server/storage/types.ts';
import type { Db } from '../../../server/db/database.ts';

export type OriginalFile = {
  item: number;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  url: string;
  expires_at: string;
};

export type Originals = { files: OriginalFile[]; zip_url: string };

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** Follows a signed URL without a key. Returns the bytes, or the code of the refusal. */
export async function download(target: string, init: RequestInit = {}) {
  const response = await fetch(target, init);
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const code = response.ok ? null : (JSON.parse(String(bytes)) as { error: { code: string } }).error.code;
  return { status, headers, bytes, code };
}

/** Adds confirmed files to an entry, from `item` 2 on, as an entry of several files has them. */
export async function addItems(
  { db, storage, newId }: { db: Db; storage: Storage; newId: () => string },
  submissionId: string,
  files: { name: string; type: string; bytes: Buffer }[],
): Promise<void> {
  for (const [index, { name, type, bytes }] of files.entries()) {
    const [id, item] = [newId(), index + 2];
    const key = `originals/added/${id}`;
    await storage.write(key, bytes, type);
    await db`
      insert into media_files (id, submission_id, item, upload_key, original_key, original_name, content_type, size_bytes,
        status, created_at, expires_at, completed_at, sha256, perceptual_hash, width, height)
      select ${id}, submission_id, ${item}, ${`uploads/${id}`}, ${key}, ${name}, ${type}, ${bytes.length}, 'completed',
        created_at, expires_at, completed_at, ${sha256(bytes)}, 0, 160, 120
      from media_files where submission_id = ${submissionId} and item = 1 and status = 'completed'`;
  }
}
