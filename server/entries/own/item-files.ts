import type { Context } from '../../deps.ts';
import type { FileState } from '../next-step.ts';
import { type FileRow, listFileRows, type ShownSubmissionRow } from './submission-queries.ts';

/** The newest file of an item, as its agent sees it. */
export type OwnItemFile = Pick<FileRow, 'mediaFileId' | 'item' | 'uploadUrlExpiresAt' | 'refusedReason'> & {
  state: FileState;
  uploadedAt: Date | null;
};

const STORED_STATES = { completed: 'confirmed', superseded: 'replaced', refused: 'refused' } as const;
/** A page can have a thousand files of sets, and each may ask the store. */
const AT_ONCE = 32;

/**
 * Returns the files of submissions, by submission and item. Only files of unconfirmed submissions in open projects ask
 * the storage whether they have arrived.
 *
 * @throws StorageError
 */
export async function itemFilesOf(
  { reads, storage }: Pick<Context, 'reads' | 'storage'>,
  rows: ShownSubmissionRow[],
): Promise<Map<string, OwnItemFile[]>> {
  const submissions = new Map(rows.map((row) => [row.id, row]));
  const queue = await listFileRows(reads, [...submissions.keys()]);
  const found = new Map<string, OwnItemFile[]>(rows.map(({ id }) => [id, []]));
  const results: { row: FileRow; file: OwnItemFile }[] = [];
  const work = async () => {
    for (let row = queue.pop(); row; row = queue.pop())
      results.push({ row, file: await fileOf(storage, row, submissions.get(row.submissionId)) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const { row, file } of results) found.get(row.submissionId)?.push(file);
  for (const files of found.values()) files.sort((one, other) => one.item - other.item);
  return found;
}

async function fileOf(
  storage: Context['storage'],
  row: FileRow,
  submission: ShownSubmissionRow | undefined,
): Promise<OwnItemFile> {
  const { mediaFileId, item, uploadUrlExpiresAt, refusedReason } = row;
  const file = { mediaFileId, item, uploadUrlExpiresAt, refusedReason };
  if (row.status !== 'pending') return { ...file, state: STORED_STATES[row.status], uploadedAt: null };
  const expected = { ...file, state: 'expected', uploadedAt: null } as const;
  if (submission?.status !== 'pending' || submission.projectStatus !== 'open') return expected;
  const stored = await storage.head(row.uploadKey);
  return stored?.sizeBytes === row.sizeBytes ? { ...file, state: 'uploaded', uploadedAt: stored.modifiedAt } : expected;
}
