import type { z } from 'zod';
import { UPLOAD_URL_SECONDS, type uploadBody } from '../../contract/projects/submissions.ts';
import type { Deps } from '../deps.ts';
import { insertMediaFile, supersedePending } from './queries.ts';
import type { Tx } from '../db/database.ts';
import type { PreparedUpload } from '../payments/types.ts';

type UploadBody = z.output<typeof uploadBody>;

/** The part of `Deps` that prepares an upload. */
export type UploadDeps = Pick<Deps, 'clock' | 'newId' | 'storage'>;

const EXTENSIONS: Record<UploadBody['fileType'], string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** Signs the upload URL of one file. Writes nothing; `recordUpload` writes the row. */
export async function prepareUpload(
  deps: UploadDeps,
  { projectId, submissionId }: { projectId: string; submissionId: string },
  { fileName, fileType, fileSize, item }: UploadBody,
): Promise<PreparedUpload> {
  const id = deps.newId();
  const key = uploadKey({ projectId, submissionId, mediaFileId: id, fileType });
  const createdAt = deps.clock.now();
  const url = await deps.storage.presignUpload({
    key,
    contentType: fileType,
    sizeBytes: fileSize,
    expiresInSeconds: UPLOAD_URL_SECONDS,
  });
  return {
    id,
    submissionId,
    item,
    uploadKey: key,
    originalName: fileName,
    contentType: fileType,
    sizeBytes: fileSize,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + UPLOAD_URL_SECONDS * 1000),
    url,
  };
}

type UploadedFile = { projectId: string; submissionId: string; mediaFileId: string; fileType: UploadBody['fileType'] };

function uploadKey({ projectId, submissionId, mediaFileId, fileType }: UploadedFile): string {
  return `uploads/${projectId}/${submissionId}/${mediaFileId}.${EXTENSIONS[fileType]}`;
}

/** Stores the file of an upload URL for an agent that cannot send it there. The confirmation checks it like any other. */
export async function writeUpload(
  { storage }: Pick<UploadDeps, 'storage'>,
  upload: UploadedFile,
  file: Buffer,
): Promise<void> {
  await storage.write(uploadKey(upload), file, upload.fileType);
}

/** Returns whether the file of an upload URL has exactly these bytes. */
export async function isUploadOf(
  { storage }: Pick<UploadDeps, 'storage'>,
  upload: UploadedFile,
  file: Buffer,
): Promise<boolean> {
  const stored = await storage.readPart(uploadKey(upload), { from: 0, bytes: file.length + 1 });
  return stored?.equals(file) ?? false;
}

/**
 * Records the media file of an item and supersedes its pending one. The caller holds the submission's lock.
 *
 * @returns false when the submission is confirmed or is being confirmed, and nothing was recorded
 */
export async function recordUpload(tx: Tx, upload: PreparedUpload): Promise<boolean> {
  const [, inserted] = await Promise.all([
    supersedePending(tx, upload.submissionId, upload.item),
    insertMediaFile(tx, { ...upload, now: upload.createdAt }),
  ]);
  return inserted;
}
