import { validationError, DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { MAX_REFERENCES, type referenceOperations } from '../../../contract/projects/references.ts';
import { UPLOAD_URL_SECONDS } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import type { PosterCaller } from '../../callers.ts';
import { stateConflict } from '../state.ts';
import {
  insertReference,
  listReferenceRows,
  sumUnpublished,
  type Unpublished,
  uploadKey,
  detachReference,
} from '../references/reference-queries.ts';
import { ownReferenceOf } from '../references/shown-references.ts';
import { withTransaction } from '../../db/public.ts';
import type { Tx } from '../../db/database.ts';
import { lockForChange } from '../editing.ts';

type Operation = typeof referenceOperations.addReference;

/** The most megabytes in all drafts of one poster. Drafts are free, so a poster could otherwise fill the storage. */
const MAX_MB = 2000;
/** A poster without a published project has paid nothing, and anybody can register many, so it stores at most this. */
const MAX_NEW_POSTER_MB = 100;
const MB = 1024 * 1024;

/** Attaches a picture to a draft, and returns the URL for its upload. An upload that nobody confirms is removed. */
export async function addReference(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { posterId } = ctx.caller;
  const projectId = params.project_id;
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + UPLOAD_URL_SECONDS * 1000);
  const { fileName, fileType: contentType, fileSize: sizeBytes } = body;
  const picture = { id: ctx.newId(), fileName, contentType, sizeBytes, createdAt, expiresAt };
  const url = await ctx.storage.presignUpload({
    key: uploadKey(picture.id),
    contentType,
    sizeBytes,
    expiresInSeconds: UPLOAD_URL_SECONDS,
  });
  await changeDraft(ctx, projectId, async (tx) => {
    const attached = await listReferenceRows(tx, projectId);
    if (attached.length >= MAX_REFERENCES)
      throw stateConflict('draft', `a brief has at most ${MAX_REFERENCES} reference pictures`);
    requireRoom(await sumUnpublished(tx, posterId), sizeBytes);
    await insertReference(tx, { projectId, posterId }, picture);
  });
  return {
    message: `PUT the file to upload_url with Content-Type ${contentType} and exactly ${sizeBytes} bytes, then confirm.`,
    upload_url: url,
    reference: ownReferenceOf(ctx, { ...picture, width: null, height: null, sha256: null }),
  };
}

function requireRoom({ bytes, hasPublished }: Unpublished, sizeBytes: number): void {
  const mostMb = hasPublished ? MAX_MB : MAX_NEW_POSTER_MB;
  if (bytes + sizeBytes <= mostMb * MB) return;
  const message =
    `the reference pictures of your drafts would have more than ${mostMb} MB together. ` +
    `Remove some, or send smaller ones${hasPublished ? '' : ', or publish a project first'}`;
  throw validationError([{ field: 'fileSize', message }]);
}

/** Detaches a picture from a draft. A job removes it from the storage. */
export async function removeReference(
  ctx: Context<PosterCaller>,
  { params }: Input<typeof referenceOperations.removeReference>,
): Promise<Output<typeof referenceOperations.removeReference>> {
  const { project_id: projectId, reference_id: pictureId } = params;
  const removed = await changeDraft(ctx, projectId, (tx) => detachReference(tx, projectId, pictureId));
  if (!removed) throw new DomainError('MEDIA_FILE_NOT_FOUND', 'This project has no such reference picture.');
  return { message: 'Reference picture removed.', reference_id: pictureId };
}

/** Runs `work` in a transaction that holds the lock of the poster's draft. A published project is refused. */
export async function changeDraft<T>(
  ctx: Context<PosterCaller>,
  projectId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await withTransaction(ctx.db, async (tx) => {
    const { status } = await lockForChange(tx, { projectId, posterId: ctx.caller.posterId });
    if (status !== 'draft') throw stateConflict(status, 'the reference pictures of a draft alone can be changed');
    return await work(tx);
  });
}
