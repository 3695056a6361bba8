import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { inspectUpload } from '../../pictures/public.ts';
import { fixVersion } from './inspection-queries.ts';
import type { RequestedConfirmation, RequestedFile } from '../types.ts';
import type { FileResult } from './record-results.ts';

// A PUT to an earlier URL of the item succeeds too, because the storage knows of no later one.
const ABSENT =
  'No file is in storage for the newest upload URL; a later request replaces earlier URLs. PUT the file to the newest URL, or request another one, which costs nothing. Then confirm again.';

const REPLACED =
  'The file in storage is not certainly the one of the confirmation: it came later, or was replaced. Confirm again.';

/** A file in storage, and the version that the confirmation counts for. */
export type UploadedFile = { file: RequestedFile; version: string };

/** Returns the result of a file that is not there. */
export function absent(file: RequestedFile, message = ABSENT): FileResult {
  return { file, kind: 'absent', error: new DomainError('FILE_NOT_FOUND', message) };
}

/**
 * Looks whether a file is in storage. The first look records its version. Every later look, also of another process, accepts
 * no other version. If no look succeeded before the end of confirmations, the file counts only if it was there at the request.
 */
export async function lookAt(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  { requestedAt, isInTime }: RequestedConfirmation,
  file: RequestedFile,
): Promise<UploadedFile | FileResult> {
  const stored = await storage.head(file.uploadKey);
  if (!stored) return absent(file);
  const wasThere = isInTime || stored.modifiedAt <= requestedAt;
  const key = { fileId: file.fileId, requestedAt };
  const version = await fixVersion(db, key, wasThere ? stored.version : null);
  return version === stored.version ? { file, version } : absent(file, REPLACED);
}

/** Inspects one picture and keeps its bytes where no upload URL can write. `endTurn` is called when the decoder is free. */
export async function inspectAndKeep(
  deps: Pick<Deps, 'storage' | 'newId' | 'inspectImage'>,
  { projectId, submissionId }: RequestedConfirmation,
  { file, version }: UploadedFile,
  endTurn: () => void,
): Promise<FileResult> {
  const { sizeBytes, contentType } = file;
  // The time of the request counts only for the picture that was there.
  const bytes = await deps.storage.read(file.uploadKey, sizeBytes, version);
  if (!bytes) return absent(file, REPLACED);
  const inspected = await inspectUpload(deps.inspectImage, file, bytes);
  // The decoder is free, and storing needs none.
  endTurn();
  if ('reason' in inspected) return { file, kind: 'refused', ...inspected };
  // The upload URL works until it expires, so the inspected bytes are kept where no URL can write. Each inspection uses
  // its own key, because an earlier one of the same file may have read other bytes.
  const originalKey = `originals/${projectId}/${submissionId}/${deps.newId()}`;
  await deps.storage.write(originalKey, bytes, contentType);
  return { file, kind: 'accepted', originalKey, ...inspected };
}
